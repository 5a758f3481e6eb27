import { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { routingPath } from './routing-path.js';

/** The request of {@link NodeAdapter}: Node's, with what Nest and middleware for Express read. */
export class NodeRequest extends IncomingMessage {
  declare originalUrl?: string;
  declare params?: object;
  declare body?: unknown;
  declare rawBody?: Buffer;

  get query(): object {
    return parse(this.url?.split('?')[1] ?? '');
  }

  get path(): string {
    return routingPath(this.url ?? '');
  }

  get hostname(): string | undefined {
    return this.headers.host?.replace(/:\d+$/, '');
  }

  get ip(): string | undefined {
    return this.socket.remoteAddress;
  }

  get(name: string): string | string[] | undefined {
    return this.headers[name.toLowerCase()];
  }
}

// Each request inherits a `body`, which is no own property until a parser has read one.
Object.defineProperty(NodeRequest.prototype, 'body', { value: undefined, writable: true, configurable: true });

/** The response of {@link NodeAdapter}: Node's, with the methods of Express' response that middleware and filters use most. */
export class NodeResponse extends ServerResponse<NodeRequest> {
  status(status: number): this {
    this.statusCode = status;
    return this;
  }

  set(name: string, value: string): this {
    this.setHeader(name, value);
    return this;
  }

  header(name: string, value: string): this {
    return this.set(name, value);
  }

  type(type: string): this {
    return this.set('Content-Type', type.includes('/') ? type : `text/${type.replace('.', '')}; charset=utf-8`);
  }

  json(body: unknown): this {
    return this.send(JSON.stringify(body), 'application/json; charset=utf-8');
  }

  send(body?: string | number | boolean | object | null, type = 'text/plain; charset=utf-8'): this {
    if (typeof body === 'object' && body !== null && !(body instanceof Uint8Array)) return this.json(body);
    const bytes = body instanceof Uint8Array ? body : Buffer.from(String(body ?? ''));
    if (!this.hasHeader('Content-Type')) this.setHeader('Content-Type', body instanceof Uint8Array ? 'application/octet-stream' : type);
    this.setHeader('Content-Length', bytes.byteLength);
    return this.end(bytes);
  }

  redirect(url: string): void {
    this.writeHead(302, { Location: url }).end();
  }
}
