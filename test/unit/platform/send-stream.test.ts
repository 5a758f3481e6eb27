import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { ByteStream } from '../../../lib/http/byte-stream.js';
import { readableOf } from '../../../lib/platform/send-stream.js';

/** Endless chunks, and how often their reader has called `return`. */
class Source implements AsyncIterable<Uint8Array> {
  returned = 0;

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    return {
      next: () => Promise.resolve({ done: false, value: Buffer.from('x') }),
      return: () => {
        this.returned++;
        return this.returned === 1 ? Promise.resolve({ done: true, value: undefined }) : Promise.reject(new Error('It is over.'));
      },
    };
  }
}

// Nothing is written to it.
const SENDING = { response: {} as ServerResponse, explain: () => undefined };

describe('a stream that is destroyed', () => {
  it.each([
    ['before its first chunk', false],
    ['after some chunks', true],
  ])('SE-07: calls return of its source, %s', async (_, isRead) => {
    const source = new Source();
    const readable = readableOf(new ByteStream(source), SENDING);
    if (isRead) await once(readable, 'readable');
    readable.destroy();
    await once(readable, 'close');
    expect(source.returned).toBeGreaterThan(0);
  });
});
