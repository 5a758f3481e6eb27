import { type IncomingMessage, type ServerResponse } from 'node:http';
import { Inject, Injectable, PayloadTooLargeException } from '@nestjs/common';
import bodyParser from 'body-parser';
import { type Limits } from '../model/limits.js';
import { LIMITS } from '../resource-api.constants.js';
import { ApiRequests } from './api-requests.js';
import { captureBody, type CapturedBody } from './captured-body.js';

/** Called with a fault, which knows its status (413, 415 or 400), or with the body. */
export type BodyDone = (fault: unknown, body?: CapturedBody) => void;

/** Reads the body of a request within `limits.maxBodySize`, inflated where it is compressed, and keeps it for the route. */
@Injectable()
export class BodyReader {
  private readonly parse: (request: IncomingMessage, response: ServerResponse, next: (fault?: unknown) => void) => void;

  constructor(
    private readonly requests: ApiRequests,
    @Inject(LIMITS) private readonly limits: Limits,
  ) {
    this.parse = bodyParser.raw({ type: () => true, limit: limits.maxBodySize });
  }

  read(request: IncomingMessage, response: ServerResponse, done: BodyDone): void {
    this.parse(request, response, (fault?: unknown) => {
      if (fault !== undefined) {
        done(this.explain(fault));
        return;
      }
      const bytes = (request as { readonly body?: unknown }).body;
      const body = captureBody(bytes instanceof Uint8Array ? bytes : undefined, request.headers['content-type']);
      this.requests.capture(request, body);
      done(undefined, body);
    });
  }

  /** body-parser says that there is a limit; the client may know which. */
  private explain(fault: unknown): unknown {
    if ((fault as { readonly status?: unknown }).status !== 413) return fault;
    return new PayloadTooLargeException(`The request body is larger than limits.maxBodySize allows: ${this.limits.maxBodySize}.`, {
      cause: fault,
    });
  }
}
