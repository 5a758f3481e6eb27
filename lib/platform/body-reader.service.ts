import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import { Inject, Injectable, PayloadTooLargeException } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import type { Limits } from '../model/limits.js';
import { LIMITS } from '../options/tokens.js';
import { captureBody, type CapturedBody, NO_BODY } from '../http/captured-body.js';
import type { RequestContext } from './request-context.js';

type RawParser = (request: IncomingMessage, response: ServerResponse, next: (fault?: Error) => void) => void;

/** Reads the body of a request up to `limits.maxBodySize`, decompresses it, and stores it in the request context. */
@Injectable()
export class BodyReader {
  /** Loaded with the first body: to import body-parser takes as long as all of this package. */
  private parse: RawParser | undefined;

  constructor(@Inject(LIMITS) private readonly limits: Limits) {}

  /**
   * @param raw Node's request
   * @param done called with the body; without one if it could not be read. The request context then has the error, whose status is 413, 415
   * or 400
   */
  read(raw: IncomingMessage, requestContext: RequestContext, done: (body?: CapturedBody) => void): void {
    const { headers, method = '' } = raw;
    // Most reads have no body (RFC 9112, section 6).
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
      done((requestContext.captured = NO_BODY));
      return;
    }
    if (!BODY_METHODS.has(method)) {
      discardRest(raw, () => {
        done((requestContext.captured = NO_BODY));
      });
      return;
    }
    if (this.parse === undefined) {
      void this.readFirst(raw, requestContext, done);
      return;
    }
    // Both names mean the same (RFC 9110, section 8.4.1.3), and body-parser accepts only `gzip`.
    if (headers['content-encoding']?.trim().toLowerCase() === 'x-gzip') headers['content-encoding'] = 'gzip';
    // body-parser never uses the response.
    this.parse(raw, undefined as never, (fault?: Error) => {
      if (fault === undefined) {
        const bytes = 'body' in raw && raw.body instanceof Uint8Array ? raw.body : undefined;
        done((requestContext.captured = captureBody(bytes, headers['content-type'])));
        return;
      }
      requestContext.bodyFault = this.explain(fault);
      discardRest(raw, done);
    });
  }

  /** Loads body-parser, and reads the body then. body-parser would read a request that is aborted by now as one without a body. */
  private async readFirst(raw: IncomingMessage, requestContext: RequestContext, done: (body?: CapturedBody) => void): Promise<void> {
    try {
      const { default: bodyParser } = await import('body-parser');
      this.parse ??= bodyParser.raw({ type: () => true, limit: this.limits.maxBodySize });
    } catch (fault) {
      // Without a handler, the rejection would end the process: for example if the process has no file handle left (EMFILE).
      requestContext.bodyFault = fault instanceof Error ? fault : new Error(String(fault));
      done();
      return;
    }
    if (!raw.readableAborted) {
      this.read(raw, requestContext, done);
      return;
    }
    requestContext.bodyFault = new ApiError('bad-request', 'The client closed the connection before the body was read.');
    done();
  }

  /** Adds to an error of body-parser how the client can avoid it: the limit, or the accepted encodings (RFC 9110, section 15.5.16). */
  private explain(fault: Error & { readonly status?: unknown; readonly type?: unknown }): Error {
    if (fault.type === 'encoding.unsupported') {
      return new ApiError('unsupported-media-type', `The Content-Encoding of the body must be one of ${ENCODINGS}.`, {
        source: { header: 'Content-Encoding' },
        headers: { 'Accept-Encoding': ENCODINGS },
        cause: fault,
      });
    }
    if (fault.status !== 413) return fault;
    return new PayloadTooLargeException(`The request body is larger than limits.maxBodySize allows: ${this.limits.maxBodySize}.`, {
      cause: fault,
    });
  }
}

/** Methods whose bodies an endpoint may read. */
const BODY_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE', 'QUERY']);

/** Discards what has not been read of a body, so that no parser of the application reads it, and refuses it for another reason. */
function discardRest(raw: IncomingMessage, done: () => void): void {
  finished(raw.resume(), done.bind(undefined));
}

/** The encodings that body-parser decompresses on every supported version of Node. */
const ENCODINGS = 'gzip, deflate, br';
