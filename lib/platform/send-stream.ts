import { AsyncResource } from 'node:async_hooks';
import { constants, type Http2ServerResponse } from 'node:http2';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ByteStream } from '../http/byte-stream.js';
import type { Socket } from 'node:net';
import { MAX_TIMER } from '../utils/max-timer.js';

/** The response of a stream, and how to render its error. */
interface StreamSending {
  /** Node's response. */
  readonly response: ServerResponse | Http2ServerResponse;
  /** Logs an error and returns its rendered body; undefined if the client has disconnected. */
  readonly explain: (thrown: unknown) => unknown;
}

/**
 * Converts a stream to a `Readable` of Node, which requests the next chunk when the response has room for it. If the stream fails, its last
 * chunk is the rendered error. Then the connection is closed without a proper end, so that no client takes the response for complete
 * (SE-08).
 */
export function readableOf(stream: ByteStream, sending: StreamSending): Readable {
  const source = stream.chunks[Symbol.asyncIterator]();
  // The later chunks are read when the response drains, and belong to the asynchronous context of the request all the same. Errors are caught
  // here, and not around the `yield`, because closing the readable would be caught there, too.
  const read = AsyncResource.bind((): Promise<Step> => source.next().catch((thrown: unknown) => ({ thrown })));
  // Reads at most one chunk ahead, because the buffer of the response has room for several chunks.
  const readable: Readable = Readable.from(
    chunksOf(read, stream.lastWords, sending, () => readable.readableLength),
    { objectMode: false, highWaterMark: 1 },
  );
  // Closes the source here, because a generator that has not been started does not run its `finally`.
  readable.once('close', () => void source.return?.().catch(() => undefined));
  return readable;
}

async function* chunksOf(
  read: () => Promise<Step>,
  lastWords: ByteStream['lastWords'],
  { response, explain }: StreamSending,
  waiting: () => number,
): AsyncGenerator<Uint8Array> {
  let step = await read();
  for (; !('thrown' in step) && step.done !== true; step = await read()) yield step.value;
  if (!('thrown' in step)) return;
  const explained = explain(step.thrown);
  if (explained !== undefined && lastWords) yield lastWords(explained);
  await isSent(response, waiting);
  breakOff(response);
  throw step.thrown;
}

type Step = IteratorResult<Uint8Array, unknown> | { readonly thrown: unknown };

/** Waits until all bytes have left the process, because closing the connection discards the rest. {@link endStalled} limits the time. */
async function isSent(response: ServerResponse | Http2ServerResponse, waiting: () => number): Promise<void> {
  do await sleep(SENT_EVERY);
  while (!isClosed(response) && (waiting() > 0 || pendingBytes(response) > 0));
}

const SENT_EVERY = 10;

function isClosed(response: ServerResponse | Http2ServerResponse): boolean {
  return 'stream' in response ? response.stream.destroyed : response.destroyed;
}

/** Returns the number of bytes that have been written and have not left the process. */
function pendingBytes(response: ServerResponse | Http2ServerResponse): number {
  return 'stream' in response ? response.stream.writableLength : response.writableLength;
}

/** Ends a response that is not complete, so that its client notices: by an error of its HTTP/2 stream, or by the end of its connection. */
export function breakOff(response: ServerResponse | Http2ServerResponse): void {
  if ('stream' in response) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else response.destroy();
}

/**
 * Closes a response whose client has stopped reading. Its unsent bytes would otherwise stay in memory for as long as the connection is
 * open. A slow client is not disconnected while it frees a third of the system's send buffer in each period.
 *
 * Node checks only at the end of each period whether bytes were sent in it (`socket.setTimeout`). Closing may therefore take almost two
 * periods.
 *
 * @param period milliseconds, or Infinity for no limit
 */
export function endStalled(response: ServerResponse | Http2ServerResponse, period: number): void {
  // Most responses have been sent completely by now.
  if (period === Infinity || (response.writableEnded && pendingBytes(response) === 0)) return;
  const most = Math.min(period, MAX_TIMER);
  if ('stream' in response) watchStream(response, most);
  else if (response.socket) watch(response, response.socket, most);
  // The client has pipelined requests, and the socket still belongs to the response of an earlier one.
  else
    response.once('socket', (socket: Socket) => {
      watch(response, socket, most);
    });
}

function watchStream(response: Http2ServerResponse, period: number): void {
  response.stream.setTimeout(period);
  response.stream.on('timeout', () => {
    if (pendingBytes(response) > 0) response.stream.destroy();
  });
}

function watch(response: ServerResponse, socket: Partial<Socket>, period: number): void {
  const { timeout: given = 0 } = socket;
  // Fastify's `inject` has no connection, and thus no `setTimeout`. A shorter timeout of the application remains in effect.
  if (!socket.setTimeout || (given > 0 && given <= period)) return;
  // A response without pending bytes waits for the application, and not for its client.
  response.on('timeout', () => {
    if (pendingBytes(response) > 0) response.destroy();
  });
  socket.setTimeout(period);
  // Restores the timeout for the next request on the connection. It is prepended, because Node's listener then sets the keep-alive timeout.
  response.prependOnceListener('finish', () => socket.setTimeout?.(given));
}
