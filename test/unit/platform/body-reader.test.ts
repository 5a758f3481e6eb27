import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { CapturedBody } from '../../../lib/http/captured-body.js';
import { DEFAULT_LIMITS } from '../../../lib/model/limits.js';
import { BodyReader } from '../../../lib/platform/body-reader.service.js';
import type { RequestContext } from '../../../lib/platform/request-context.js';

/** Returns the members that the reader sets for a request, once it has finished. */
interface Read {
  readonly body?: CapturedBody | undefined;
  readonly fault?: Error | undefined;
}

describe('the reader of bodies', () => {
  it('reads bodies that arrive before the parser is loaded', async () => {
    const reader = new BodyReader(DEFAULT_LIMITS);
    const reads = await Promise.all([read(reader, requestOf('"one"')), read(reader, requestOf('2'))]);
    expect(reads.map(({ body }) => body)).toEqual([
      { kind: 'json', value: 'one' },
      { kind: 'json', value: 2 },
    ]);
  });

  it('returns a fault where the client has disconnected while the parser was loaded, instead of no body', async () => {
    const request = requestOf('"one"');
    const done = read(new BodyReader(DEFAULT_LIMITS), request);
    request.destroy();
    const { body, fault } = await done;
    expect(body).toBeUndefined();
    expect(fault?.message).toMatch(/closed the connection/);
  });

  it('returns a fault where the parser cannot be loaded, instead of ending the process', async () => {
    const limits = Object.defineProperty({ ...DEFAULT_LIMITS }, 'maxBodySize', {
      get: () => {
        throw new Error('EMFILE: too many open files');
      },
    });
    const { body, fault } = await read(new BodyReader(limits), requestOf('"one"'));
    expect(body).toBeUndefined();
    expect(fault?.message).toMatch(/EMFILE/);
  });
});

function requestOf(text: string): IncomingMessage {
  const headers = { 'content-length': String(text.length), 'content-type': 'application/json' };
  return Object.assign(Readable.from([Buffer.from(text)], { objectMode: false }), {
    headers,
    method: 'POST',
  }) as unknown as IncomingMessage;
}

function read(reader: BodyReader, request: IncomingMessage): Promise<Read> {
  return new Promise((resolve) => {
    // The reader sets two members of the context, and reads none.
    const context = {} as unknown as RequestContext;
    reader.read(request, context, (body) => {
      resolve({ body, fault: context.bodyFault });
    });
  });
}
