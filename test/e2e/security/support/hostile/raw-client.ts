import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { RawResponse } from '../../../../support/check-rest-response.js';
import { encodeRequest, type HostileRequest } from './hostile-request.js';

/** The reason for a missing response: the server has closed the connection, or waits for more of the request. */
export type NoResponse = 'closed' | 'waiting';

/** Timeouts of a request, and of one with a wrong length, in milliseconds. */
const PATIENCE = 30_000;
const PATIENCE_MISFRAMED = 300;

/** Sends raw bytes on one open connection, which an HTTP client would reject, and reads the responses. */
export class RawClient {
  #socket: Socket | undefined;
  #received = Buffer.alloc(0);

  constructor(private readonly port: number) {}

  async send(request: HostileRequest): Promise<RawResponse | NoResponse> {
    if (request.isMisframed) this.close();
    const isUsed = this.#socket !== undefined;
    const response = await this.#exchange(request);
    // The server may have closed the connection after the last response.
    return response === 'closed' && isUsed && this.#received.length === 0 ? this.#exchange(request) : response;
  }

  async #exchange(request: HostileRequest): Promise<RawResponse | NoResponse> {
    const socket = (this.#socket ??= this.#connect());
    this.#received = Buffer.alloc(0);
    socket.write(encodeRequest(request));
    const response = await this.#read(socket, request);
    // The server would parse the rest of such a request as the next one.
    if (typeof response === 'string' || request.isMisframed || response.headers['connection'] === 'close') this.close();
    return response;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #connect(): Socket {
    const socket = connect({ port: this.port, host: '127.0.0.1', noDelay: true });
    socket.on('data', (chunk: Buffer) => (this.#received = Buffer.concat([this.#received, chunk])));
    socket.on('error', () => undefined);
    return socket;
  }

  async #read(socket: Socket, { method, isMisframed }: HostileRequest): Promise<RawResponse | NoResponse> {
    const patience = AbortSignal.timeout(isMisframed ? PATIENCE_MISFRAMED : PATIENCE);
    for (;;) {
      const response = readResponse(this.#received, method === 'HEAD', socket.closed);
      if (response) return response;
      if (socket.closed) return 'closed';
      if (patience.aborted) return 'waiting';
      await eventOf(socket, patience);
    }
  }
}

/** Waits until the socket receives data or closes, or the timeout passes. */
async function eventOf(socket: Socket, patience: AbortSignal): Promise<void> {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, patience]);
  await Promise.race([once(socket, 'data', { signal }), once(socket, 'close', { signal })]).catch(() => undefined);
  over.abort();
}

/** @returns undefined while some of the response is missing */
function readResponse(bytes: Buffer, isBodiless: boolean, isClosed: boolean): RawResponse | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [line = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(line.split(' ')[1]);
  const rest = bytes.subarray(end + 4);
  if (status === 100) return readResponse(rest, isBodiless, isClosed);
  const headers = Object.fromEntries(
    lines.map((header) => [header.slice(0, header.indexOf(':')).toLowerCase(), header.slice(header.indexOf(':') + 1).trim()]),
  );
  const body = isBodiless || status === 204 || status === 304 ? Buffer.alloc(0) : readBody(rest, headers, isClosed);
  return body && { status, headers, text: body.toString('utf8') };
}

function readBody(bytes: Buffer, headers: RawResponse['headers'], isClosed: boolean): Buffer | undefined {
  if (headers['transfer-encoding'] === 'chunked') return readChunks(bytes);
  const length = headers['content-length'];
  if (length === undefined) return isClosed ? bytes : undefined;
  return bytes.length < Number(length) ? undefined : bytes.subarray(0, Number(length));
}

function readChunks(bytes: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (size === 0) return Buffer.concat(chunks);
    if (bytes.length < end + size + 4) return undefined;
    chunks.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + size + 4;
  }
}
