import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  StreamableFile,
  type Type,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { map, type Observable } from 'rxjs';
import { type ApiStyle } from '../resource-api.module-definition.js';
import { type ApiReply } from './api-request.js';
import { sendReply } from './send-reply.js';

/** What global interceptors see of an answer: that it was sent. Nest's `CacheInterceptor` keeps no file, so that no caller gets another's answer. */
const SENT = new StreamableFile(new Uint8Array());

/**
 * Sends what a controller of the style returns. It is the outermost of this module's interceptors, so that those of the host see the
 * {@link ApiReply}, and may change it, before it goes out.
 */
export function SendReplyInterceptor(style: ApiStyle): Type<NestInterceptor<ApiReply, StreamableFile>> {
  @Injectable()
  class SendStyleReplyInterceptor implements NestInterceptor<ApiReply, StreamableFile> {
    constructor(@Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost) {}

    intercept(context: ExecutionContext, next: CallHandler<ApiReply>): Observable<StreamableFile> {
      const response = context.switchToHttp().getResponse<never>();
      return next.handle().pipe(
        map((reply) => {
          sendReply(this.adapterHost.httpAdapter, response, { ...reply, style });
          return SENT;
        }),
      );
    }
  }
  return SendStyleReplyInterceptor;
}
