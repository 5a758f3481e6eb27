import { type AbstractHttpAdapter } from '@nestjs/core';
import { type ApiStyle } from '../resource-api.module-definition.js';
import { JSON_API_MEDIA_TYPE } from '../rest/media-type.js';
import { type ApiReply } from './api-request.js';

/** What every answer of a style carries: its media type, and for REST that it depends on `Accept` (CN-13). */
const STYLE_HEADERS = {
  rest: { contentType: JSON_API_MEDIA_TYPE, vary: 'Accept' },
  rpc: { contentType: 'application/json; charset=utf-8', vary: undefined },
} as const satisfies Readonly<Record<ApiStyle, { contentType: string; vary: string | undefined }>>;

/** What Express' response and Fastify's reply have in common beyond Nest's adapter. */
interface SendableResponse {
  send(body?: Uint8Array): unknown;
}

/**
 * Sends an answer on either platform. The body goes out as bytes: given a string or an object, both platforms append a charset to the
 * content type, which JSON:API forbids (CN-02).
 */
export function sendReply(
  adapter: AbstractHttpAdapter,
  response: SendableResponse,
  { style, status, headers = {}, body }: ApiReply & { readonly style: ApiStyle },
): void {
  // The client may have gone, or an interceptor's time-out may have answered already.
  if (adapter.isHeadersSent(response)) return;
  const { contentType, vary } = STYLE_HEADERS[style];
  adapter.status(response, status);
  for (const [name, value] of Object.entries(headers)) adapter.setHeader(response, name, value);
  // Appended, since CORS and compression have theirs.
  if (vary !== undefined) adapter.appendHeader(response, 'Vary', vary);
  if (body === undefined) {
    response.send();
    return;
  }
  adapter.setHeader(response, 'Content-Type', contentType);
  response.send(Buffer.from(JSON.stringify(body)));
}
