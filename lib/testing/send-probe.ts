import type { INestApplication } from '@nestjs/common';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer } from './judge-answer.js';
import type { Probe } from './probe.js';

/** A server to send probes to. */
export interface ProbedServer {
  /** E.g. `http://127.0.0.1:40123`. */
  readonly origin: string;
  /** Stops listening, where it did not listen before. */
  readonly close: () => Promise<void>;
}

/** The application's server, on a free port unless it listens already. */
export async function openServer(app: INestApplication): Promise<ProbedServer> {
  await app.init();
  await readyFastify(app);
  const server = app.getHttpServer() as Server;
  if (server.listening) return { origin: originOf(server), close: () => Promise.resolve() };
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { origin: originOf(server), close: () => closeServer(server) };
}

/** Sends one probe. @param base origin and path of the style that it is for */
export async function sendProbe(
  base: string,
  { style, method, path, body }: Probe,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const type = style === 'rest' ? 'application/vnd.api+json' : 'application/json';
  const response = await fetch(base + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': type }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

/** Fastify loads its plugins when asked to; Nest asks only in `listen()`. */
async function readyFastify(app: INestApplication): Promise<void> {
  const adapter = app.getHttpAdapter();
  if (adapter.getType() === 'fastify') await (adapter.getInstance() as { ready(): Promise<unknown> }).ready();
}

function originOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  const host = address === '::' || address === '0.0.0.0' ? '127.0.0.1' : address;
  return `http://${family === 'IPv6' && host.includes(':') ? `[${host}]` : host}:${port}`;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}
