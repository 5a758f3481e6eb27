import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import { MAX_TIMER } from '../utils/max-timer.js';
import { pendingBytes } from './send-stream.js';

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
