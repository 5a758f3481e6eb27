import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import { MAX_TIMER } from '../utils/max-timer.js';
import { pendingBytes } from './send-stream.js';

/**
 * Ends a response that stands still because its client takes nothing of it: whatever is not sent yet would be held for as long as the connection
 * is open. A client that reads slowly is not cut off, unless the system's own buffer is not emptied by a third in that time.
 *
 * Node looks at the end of each period whether anything was taken in it (`socket.setTimeout`), so it may be almost two until it is over.
 *
 * @param period milliseconds, or Infinity
 */
export function endStalled(response: ServerResponse | Http2ServerResponse, period: number): void {
  // Most answers are sent at once.
  if (period === Infinity || (response.writableEnded && pendingBytes(response) === 0)) return;
  const most = Math.min(period, MAX_TIMER);
  if ('stream' in response) watchStream(response, most);
  else if (response.socket) watch(response, response.socket, most);
  // Its connection is still that of an earlier request, which the client has not awaited.
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
  // Without one there is no connection that could stand still (Fastify's `inject`). A shorter period is the host's.
  if (!socket.setTimeout || (given > 0 && given <= period)) return;
  // What has nothing to send waits for us, not for its client.
  response.on('timeout', () => {
    if (pendingBytes(response) > 0) response.destroy();
  });
  socket.setTimeout(period);
  // The next request on the connection may take longer. Node's own listener comes after it, and sets how long a connection may be idle.
  response.prependOnceListener('finish', () => socket.setTimeout?.(given));
}
