declare module 'cors' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  function cors(options?: unknown): (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

  export = cors;
}
