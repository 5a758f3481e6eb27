import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type ApiReply } from './api-request.js';
import { hideUnknownNames } from './hide-unknown-names.js';
import { sendReply } from './send-reply.js';
import { COMPILED_OPTIONS, RESOURCE_API_OPTIONS } from '../resource-api.constants.js';
import { type CompiledOptions } from '../resource-api.compiled-options.js';
import { type ApiStyle } from '../resource-api.module-definition.js';
import { type ResourceApiOptions } from '../resource-api.options.js';
import { renderErrors } from '../rest/render/render-errors.js';
import { renderRpcError, rpcStatus } from '../rpc/render-rpc-error.js';
import { type ApiError } from '../errors/api-error.js';
import { toApiError } from '../errors/to-api-error.js';

/** Answers anything thrown in the shape of a style; unexpected errors are logged with the id that their answer carries. */
@Injectable()
export class ErrorResponder {
  private readonly logger = new Logger('ResourceApi');

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    @Inject(RESOURCE_API_OPTIONS) private readonly options: Pick<ResourceApiOptions, 'mapError'>,
    @Inject(COMPILED_OPTIONS) private readonly compiled: CompiledOptions,
  ) {}

  /** @param response the platform's own: Express' response, Fastify's reply */
  respond(thrown: unknown, style: ApiStyle, response: unknown): void {
    const error = hideUnknownNames(toApiError(thrown, this.options.mapError), this.compiled.model);
    const id = error.status >= 500 ? this.log(error) : undefined;
    const answer = style === 'rpc' ? this.rpcAnswer(error) : this.restAnswer(error, id);
    sendReply(this.adapterHost.httpAdapter, response as never, { ...answer, headers: error.headers, style });
  }

  private restAnswer(error: ApiError, id: string | undefined): ApiReply {
    return { status: error.status, body: renderErrors(error, this.compiled.rest?.strict ?? false, id) };
  }

  private rpcAnswer(error: ApiError): ApiReply {
    return { status: rpcStatus(error), body: renderRpcError(error) };
  }

  /** The cause goes to the log only; the id leads from an answer to it. */
  private log(error: ApiError): string {
    const id = randomUUID();
    const cause = error.cause instanceof Error ? error.cause : error;
    const text = `${error.problems[0].code} ${id}: ${cause.message}`;
    if (error.status === 503) this.logger.warn(text);
    else this.logger.error(text, cause.stack);
    return id;
  }
}
