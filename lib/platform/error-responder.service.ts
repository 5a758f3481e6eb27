import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { ApiError } from '../errors/api-error.js';
import { cut } from '../errors/quote.js';
import { errorMessage } from '../errors/error-message.js';
import { originalErrorOf, toApiError } from '../errors/to-api-error.js';
import { RESULT_NOT_READABLE } from '../errors/unreadable-result-error.js';
import type { ResourceModel } from '../model/resource-model.js';
import { MOUNTS, RESOURCE_API_OPTIONS, RESOURCE_MODEL, REST_SETTINGS } from '../options/tokens.js';
import type { ResourceApiOptions } from '../options/resource-api-options.js';
import type { PlatformRequest } from '../http/platform-request.js';
import type { ApiReply } from '../http/api-request.js';
import { toMissingColumnError } from './to-missing-column-error.js';
import type { StyledMount } from './entry-classes.js';
import { hideUnknownNames } from './hide-unknown-names.js';
import type { MountPoint } from './mount-point.js';
import type { Style } from './style.js';
import { traceFailure, type TracedRequest } from './trace-request.js';

/** Renders thrown errors as responses of a style. Unexpected errors are logged with the id that their response contains. */
@Injectable()
export class ErrorResponder {
  private readonly logger = new Logger('ResourceApi');
  private readonly words: ReadonlySet<string>;

  constructor(
    @Inject(RESOURCE_API_OPTIONS) private readonly options: Pick<ResourceApiOptions, 'mapError'>,
    @Inject(RESOURCE_MODEL) private readonly model: ResourceModel,
    @Inject(REST_SETTINGS) private readonly rest: { readonly strict: boolean } | undefined,
    @Inject(MOUNTS) mounts: readonly StyledMount[],
  ) {
    this.words = new Set(mounts.flatMap(({ style }) => [...style.words]));
  }

  /**
   * Renders an error as a response.
   *
   * @param request the failed request; names that are hidden from its caller are removed from the error
   * @param isBrokenOff whether the error aborts a response that has begun; it is then always logged, because the client may receive only a
   * part of it
   */
  replyTo(thrown: unknown, style: Style, failed: FailedRequest, { isBrokenOff = false } = {}): ApiReply {
    const { request, visibleModel } = failed;
    const model = this.model.grants ? visibleModel : this.model;
    const mapped = toMissingColumnError(toApiError(thrown, this.options.mapError), model);
    const error = hideUnknownNames(mapped, model, this.words);
    traceFailure(failed, error, thrown);
    const isLogged = [error.status >= 500, isBrokenOff].includes(true);
    const id = isLogged ? this.log(error, thrown, request) : undefined;
    if (error.rejectedByPolicy && error.reason !== undefined && error.reason !== RESULT_NOT_READABLE) this.logRefusal(error, request);
    return style.renderError(error, { strict: this.rest?.strict ?? false, id, failed });
  }

  /** Logs the reason of a refusal by a rule, so that an operator can find out why a caller was refused. */
  private logRefusal({ reason = '', cause, problems: [{ code }] }: ApiError, request: FailedRequest['request']): void {
    const place = typeof cause === 'string' ? ` (${cause})` : '';
    this.logger.log(`${code} ${describeRequest(request)}: ${reason}${place}`);
  }

  /**
   * Logs an error with its cause, which the response does not contain, and returns the id that links both. `mapError` may have dropped the
   * cause.
   */
  private log(error: ApiError, thrown: unknown, request: FailedRequest['request']): string {
    const id = randomUUID();
    const { summary, details } = errorMessage(error.cause ?? originalErrorOf(thrown));
    const text = `${error.problems[0].code} ${id} ${describeRequest(request)}: ${summary}`;
    if (error.status === 503 || error.status < 500) this.logger.warn(text);
    else this.logger.error(text, details);
    return id;
  }
}

interface FailedRequest extends TracedRequest {
  /** For the log. */
  readonly request: Pick<PlatformRequest, 'method' | 'url'>;
  readonly visibleModel: ResourceModel;
  readonly point?: MountPoint;
}

/** Formats the method and the path for the log. The query is omitted, because it may contain secrets. */
function describeRequest({ method, url }: FailedRequest['request']): string {
  return `${method} ${cut(url.split('?', 1)[0] ?? '', MAX_PATH)}`;
}

/** Maximum length of a path in the log, in characters. No valid path of the API is longer in practice. */
const MAX_PATH = 300;
