import type { ApiRequest } from './api-request.js';

/** What is seen of the connection that a request came by. */
interface Connection {
  readonly destroyed?: boolean;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/** The platform's request, or Node's own in its `raw`. */
interface Connected {
  readonly raw?: object;
  readonly socket?: Connection;
}

/** Listens to the connection of a request; another request may come over it, so that a listener has to be taken off. */
export function onceGone({ raw, socket = (raw as Connected | undefined)?.socket }: Connected): ApiRequest['onceGone'] {
  return (
    socket &&
    ((listener) => {
      if (socket.destroyed === true) listener();
      socket.once('close', listener);
      return () => void socket.off('close', listener);
    })
  );
}
