import { ApiError, type Problem } from './api-error.js';
import { ERROR_CATALOGUE, type ErrorCode } from './error-catalogue.js';
import { isError } from './is-error.js';
import { memberOf } from './member-of.js';
import { cut } from './quote.js';
import { sentence } from './sentence.js';
import { STATUS_CODES } from 'node:http';

/**
 * Converts an HTTP error of the application or the platform to an {@link ApiError} of the same status. Returns undefined for anything else.
 *
 * Nest's `HttpException` (from a guard, pipe or interceptor) is recognised by `getStatus`. Errors of body-parser, Express
 * and Fastify have a numeric `status` or `statusCode`. The message of an `HttpException` becomes the detail. The
 * platform's message becomes the detail below 500 only, except for 413.
 */
export function fromHttpException(error: unknown): ApiError | undefined {
  const status = statusOf(error);
  if (status === undefined || !isError(error)) return undefined;
  const [detail, ...others] = detailsOf(error, status);
  const known = CODES.get(status);
  const code = known ?? (status >= 500 ? 'unknown-error' : 'query-error');
  return new ApiError(code, detail, {
    cause: error,
    others: others.map((other): Problem => ({ code, detail: other })),
    ...(known === undefined && { http: phraseOf(status) }),
  });
}

/** Whether an error is Nest's `HttpException`, from any copy of Nest. */
export function isHttpException(error: unknown): boolean {
  return isError(error) && 'getStatus' in error && typeof error.getStatus === 'function';
}

function phraseOf(status: number): NonNullable<ApiError['http']> {
  const title = STATUS_CODES[status] ?? 'Error';
  return { status, code: title.toLowerCase().replace(/[^a-z]+/g, '-'), title };
}

/** Codes of the catalogue for statuses that the application may throw. Other statuses use Node's phrase. */
const CODES: ReadonlyMap<number, ErrorCode> = new Map(
  (
    ['bad-request', 'forbidden', 'not-found', 'not-acceptable', 'payload-too-large', 'unsupported-media-type', 'validation-error'] as const
  ).map((code) => [ERROR_CATALOGUE[code].status, code]),
);

interface HttpErrorLike {
  readonly getStatus?: () => unknown;
  readonly status?: unknown;
  readonly statusCode?: unknown;
}

function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { getStatus, status, statusCode }: HttpErrorLike = error;
  const value = typeof getStatus === 'function' ? getStatus.call(error) : (status ?? statusCode);
  return typeof value === 'number' && value >= 400 && value <= 599 ? value : undefined;
}

/** Returns the messages of an `HttpException`. Nest stores the text, or the list of ValidationPipe, as `message` of the exception's response. */
function detailsOf(error: Error, status: number): readonly [string, ...string[]] {
  const phrase = phraseText(status);
  const getResponse = memberOf(error, 'getResponse');
  if (typeof getResponse !== 'function') return [platformText(error, status)];
  const response: unknown = Reflect.apply(getResponse, error, []);
  const message = typeof response === 'object' && response !== null ? memberOf(response, 'message') : response;
  const messages = (Array.isArray(message) ? message : [message]).filter((text) => typeof text === 'string' && text !== '').map(sentence);
  const [first = phrase, ...others] = messages;
  return [first, ...others];
}

/** Maximum length of a platform's message, because Express repeats a path that it cannot decode. */
const MAX_MESSAGE = 200;

/** Returns a detail for an error of body-parser, Express or Fastify. */
function platformText({ message }: Error, status: number): string {
  if (status === 413) return 'The request body is larger than this API accepts.';
  return status >= 500 ? phraseText(status) : sentence(cut(message, MAX_MESSAGE) || phraseText(status));
}

function phraseText(status: number): string {
  return `${STATUS_CODES[status] ?? 'Error'}.`;
}
