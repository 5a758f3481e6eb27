import type { INestApplication } from '@nestjs/common';
import type { Server } from 'node:http';
import { toRpcAnswer } from './mcp-probes.js';
import type { Answer, Probe } from './probe.js';

/**
 * Starts the application's server on a free port, unless it is listening already.
 *
 * @returns its origin, e.g. `http://127.0.0.1:40123`, and a function that stops the server if this function started it
 */
export async function openServer(app: INestApplication): Promise<{ readonly origin: string; readonly close: () => Promise<void> }> {
  await app.init();
  await readyFastify(app);
  const server = app.getHttpServer() as Server;
  if (server.listening) return { origin: originOf(server), close: () => Promise.resolve() };
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { origin: originOf(server), close: () => closeServer(server) };
}

/**
 * Sends one probe.
 *
 * @param base origin and path of the probe's style
 */
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
  const answer = { status: response.status, text: await response.text() };
  return style === 'mcp' ? toRpcAnswer(answer) : answer;
}

/** Loads Fastify's plugins, which Nest does only in `listen()`. */
async function readyFastify(app: INestApplication): Promise<void> {
  const adapter = app.getHttpAdapter();
  if (adapter.getType() === 'fastify') await (adapter.getInstance() as { ready(): Promise<unknown> }).ready();
}

function originOf(server: Server): string {
  const listening = server.address();
  if (listening === null || typeof listening === 'string') throw new TypeError('The application listens on no port.');
  const { address, family, port } = listening;
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

/** Maximum number of concurrent requests. */
const LANES = 8;

/** Processes items concurrently, {@link LANES} at a time. The results are in the order of the items. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return results;
}
