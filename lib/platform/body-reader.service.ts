import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable, PayloadTooLargeException } from '@nestjs/common';
import bodyParser from 'body-parser';
import { ApiError } from '../errors/api-error.js';
import type { Limits } from '../model/limits.js';
import { LIMITS } from '../options/tokens.js';
import { captureBody, type CapturedBody } from '../http/captured-body.js';
import type { RequestContext } from './request-context.js';

/** Reads the body of a request within `limits.maxBodySize`, inflated where it is compressed, and keeps it in its exchange. */
@Injectable()
export class BodyReader {
  private readonly parse: (request: IncomingMessage, response: ServerResponse, next: (fault?: Error) => void) => void;

  constructor(@Inject(LIMITS) private readonly limits: Limits) {
    this.parse = bodyParser.raw({ type: () => true, limit: limits.maxBodySize });
  }

  /**
   * @param raw Node's own request
   * @param done called with the body; without one where it could not be read: the exchange has the fault, which knows its status (413, 415, 400)
   */
  read(raw: IncomingMessage, exchange: RequestContext, done: (body?: CapturedBody) => void): void {
    const { headers } = raw;
    const capture = (bytes: unknown): void => {
      const body = captureBody(bytes instanceof Uint8Array ? bytes : undefined, headers['content-type']);
      exchange.capture(body);
      done(body);
    };
    // Most reads have none (RFC 9112, section 6).
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
      capture(undefined);
      return;
    }
    // A recipient should treat the two names alike (RFC 9110, section 8.4.1.3); body-parser accepts the other one.
    if (headers['content-encoding']?.trim().toLowerCase() === 'x-gzip') headers['content-encoding'] = 'gzip';
    // body-parser never uses the response.
    this.parse(raw, undefined as never, (fault?: Error) => {
      if (fault === undefined) {
        capture('body' in raw ? raw.body : undefined);
        return;
      }
      exchange.failBody(this.explain(fault));
      done();
    });
  }

  /** Adds to a fault of body-parser what the client can do: the limit, or the encodings that are accepted (RFC 9110, section 15.5.16). */
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

/** What body-parser inflates on every supported version of Node. */
const ENCODINGS = 'gzip, deflate, br';
