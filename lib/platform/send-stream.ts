import { constants, type Http2ServerResponse } from 'node:http2';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ByteStream } from '../http/byte-stream.js';

/** How a stream is sent. */
interface StreamSending {
  /** Node's own response. */
  readonly response: ServerResponse | Http2ServerResponse;
  /** Tells what went wrong, and gives the body that tells the client; undefined where nobody is there to be told. */
  readonly explain: (thrown: unknown) => unknown;
}

/**
 * A stream as Node's: it reads the next chunk when the response has room for it. An answer that fails on the way says so as its last words, and then
 * its connection is broken off without the mark of a proper end, so that no client takes it for whole (SE-08).
 */
export function readableOf(stream: ByteStream, sending: StreamSending): Readable {
  const source = stream.chunks[Symbol.asyncIterator]();
  // One chunk ahead of the response, whose own buffer is as large as some of them.
  const readable: Readable = Readable.from(
    chunksOf(source, stream.lastWords, sending, () => readable.readableLength),
    { objectMode: false, highWaterMark: 1 },
  );
  // Not in the generator: one that was asked for nothing yet would not be told.
  readable.once('close', () => void source.return?.().catch(() => undefined));
  return readable;
}

async function* chunksOf(
  source: AsyncIterator<Uint8Array, unknown>,
  lastWords: ByteStream['lastWords'],
  { response, explain }: StreamSending,
  waiting: () => number,
): AsyncGenerator<Uint8Array> {
  // Not around the `yield`: there the reader's own end comes up as an error.
  const read = (): Promise<Step> => source.next().catch((thrown: unknown) => ({ thrown }));
  let step = await read();
  for (; !('thrown' in step) && step.done !== true; step = await read()) yield step.value;
  if (!('thrown' in step)) return;
  const told = explain(step.thrown);
  if (told !== undefined && lastWords) yield lastWords(told);
  await isSent(response, waiting);
  breakOff(response);
  throw step.thrown;
}

type Step = IteratorResult<Uint8Array, unknown> | { readonly thrown: unknown };

/** A connection that is broken off loses what has not left yet. How long that may take is for {@link endStalled} to say. */
async function isSent(response: ServerResponse | Http2ServerResponse, waiting: () => number): Promise<void> {
  do await sleep(SENT_EVERY);
  while (!isClosed(response) && (waiting() > 0 || pendingBytes(response) > 0));
}

const SENT_EVERY = 10;

function isClosed(response: ServerResponse | Http2ServerResponse): boolean {
  return 'stream' in response ? response.stream.destroyed : response.destroyed;
}

/** What is written and has not left the process yet. */
export function pendingBytes(response: ServerResponse | Http2ServerResponse): number {
  return 'stream' in response ? response.stream.writableLength : response.writableLength;
}

function breakOff(response: ServerResponse | Http2ServerResponse): void {
  if ('stream' in response) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else response.destroy();
}
