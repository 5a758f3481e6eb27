/** What is seen of the connection that a request came by. */
interface Connection {
  readonly destroyed?: boolean;
}

/** The platform's request, or Node's own in its `raw`. */
interface Connected {
  readonly raw?: object;
  readonly socket?: Connection;
}

/** Whether the client has closed the connection that a request came by. */
export function isGone({ raw, socket = (raw as Connected | undefined)?.socket }: Connected): boolean {
  return socket?.destroyed === true;
}
