import { type IncomingMessage, type ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import bodyParser from 'body-parser';
import { type Limits } from '../model/limits.js';
import { LIMITS } from '../resource-api.constants.js';
import { ApiRequests } from './api-requests.js';
import { captureBody, type CapturedBody } from './captured-body.js';

/** Called with a fault of body-parser's kind (413, 415 or 400 in `status`), or with the body. */
export type BodyDone = (fault: unknown, body?: CapturedBody) => void;

/** Reads the body of a request within `limits.maxBodySize`, inflated where it is compressed, and keeps it for the route. */
@Injectable()
export class BodyReader {
  private readonly parse: (request: IncomingMessage, response: ServerResponse, next: (fault?: unknown) => void) => void;

  constructor(
    private readonly requests: ApiRequests,
    @Inject(LIMITS) { maxBodySize }: Limits,
  ) {
    this.parse = bodyParser.raw({ type: () => true, limit: maxBodySize });
  }

  read(request: IncomingMessage, response: ServerResponse, done: BodyDone): void {
    this.parse(request, response, (fault?: unknown) => {
      if (fault !== undefined) {
        done(fault);
        return;
      }
      const bytes = (request as { readonly body?: unknown }).body;
      const body = captureBody(bytes instanceof Uint8Array ? bytes : undefined, request.headers['content-type']);
      this.requests.capture(request, body);
      done(undefined, body);
    });
  }
}
