import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor, type Type } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type Observable, tap } from 'rxjs';
import { type ApiStyle } from '../resource-api.module-definition.js';
import { type ApiReply } from './api-request.js';
import { sendReply } from './send-reply.js';

/**
 * Sends what a controller of the style returns. It is the outermost of this module's interceptors, so that those of the host see the
 * {@link ApiReply}, and may change it, before it goes out.
 */
export function SendReplyInterceptor(style: ApiStyle): Type<NestInterceptor<ApiReply, ApiReply>> {
  @Injectable()
  class SendStyleReplyInterceptor implements NestInterceptor<ApiReply, ApiReply> {
    constructor(@Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost) {}

    intercept(context: ExecutionContext, next: CallHandler<ApiReply>): Observable<ApiReply> {
      const response = context.switchToHttp().getResponse<never>();
      return next.handle().pipe(
        tap((reply) => {
          sendReply(this.adapterHost.httpAdapter, response, { ...reply, style });
        }),
      );
    }
  }
  return SendStyleReplyInterceptor;
}
