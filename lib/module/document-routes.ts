import { type INestApplication, Logger, StreamableFile } from '@nestjs/common';
import { type AbstractHttpAdapter, HttpAdapterHost } from '@nestjs/core';
import { errorMessage } from '../errors/error-message.js';
import { memberOf } from '../errors/member-of.js';
import { parseAccept } from '../http/parse-media-type.js';
import { matchesWeakly, parseTag, parseTags } from '../http/preconditions.js';
import type { SentDocument } from '../openapi/write-document.js';

/** A document, and the media type that it is sent with. */
export interface ServedDocument {
  readonly type: string;
  readonly document: (search: URLSearchParams) => Promise<SentDocument>;
}

/** Serves a document at a path: compressed for clients that accept gzip, and without a body for clients that have it. */
export function serveDocument(app: INestApplication, path: string, { type, document }: ServedDocument): void {
  const adapter: AbstractHttpAdapter = app.get(HttpAdapterHost).httpAdapter;
  const answer = async (request: object, response: object): Promise<void> => {
    const { bytes, gzip, etag } = await document(searchOf(adapter.getRequestUrl(request)));
    const headers = memberOf(request, 'headers');
    adapter.setHeader(response, 'ETag', etag);
    adapter.setHeader(response, 'Cache-Control', 'no-cache');
    adapter.appendHeader(response, 'Vary', 'Accept-Encoding');
    if (matches(memberOf(headers, 'if-none-match'), etag)) {
      adapter.reply(response, undefined, 304);
      return;
    }
    const isCompressed = acceptsGzip(memberOf(headers, 'accept-encoding'));
    const body = isCompressed ? await gzip() : bytes;
    if (isCompressed) adapter.setHeader(response, 'Content-Encoding', 'gzip');
    adapter.setHeader(response, 'Content-Type', type);
    adapter.reply(response, new StreamableFile(body, { type, length: body.length }), 200);
  };
  const fail = (response: object, error: unknown): void => {
    const { summary, details } = errorMessage(error);
    logger.error(`The OpenAPI document cannot be made, so ${path} answers 500: ${summary}`, details);
    adapter.reply(response, { statusCode: 500, message: 'Internal server error' }, 500);
  };
  // Returns nothing, because Fastify would send what a promise resolves to.
  adapter.get(path, (request: object, response: object) => {
    answer(request, response).catch((error: unknown) => {
      fail(response, error);
    });
  });
}

const logger = new Logger('ResourceApi');

function searchOf(url: unknown): URLSearchParams {
  const [, search = ''] = String(url).split('?', 2);
  return new URLSearchParams(search);
}

/** Whether a client has the document (RFC 9110, section 13.1.2: weak comparison). A header that is no list of tags matches none. */
function matches(header: unknown, etag: string): boolean {
  const tags = typeof header === 'string' ? parseTags(header) : undefined;
  const current = parseTag(etag);
  return tags !== undefined && current !== undefined && matchesWeakly(tags, current);
}

/** Whether `Accept-Encoding` permits gzip (RFC 9110, section 12.5.3). */
function acceptsGzip(header: unknown): boolean {
  const codings = parseAccept(typeof header === 'string' ? header : '');
  const coding = codings.find(({ name }) => name === 'gzip') ?? codings.find(({ name }) => name === '*');
  return coding?.parameters.every(([name, value]) => name !== 'q' || Number(value) !== 0) === true;
}
