import type { IncomingMessage } from 'node:http';
import type supertest from 'supertest';
import type { RawResponse } from './check-rest-response.js';

export type Agent = ReturnType<typeof supertest.agent>;

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'QUERY';

export interface OutgoingRequest {
  readonly method: Method;
  /** Path and query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is. */
  readonly body?: string;
}

/** Sends one request, and returns the text of the response, with any status. */
export async function sendRequest(agent: Agent, { method, path, headers = {}, body }: OutgoingRequest): Promise<RawResponse> {
  // An agent's own `query` sets parameters.
  const request = Object.assign(method === 'QUERY' ? agent.post(path) : agent[METHODS[method]](path), { method })
    .set(headers)
    .ok(() => true)
    .buffer(true)
    .parse(readText);
  const response = await (body === undefined ? request : request.send(body));
  return { status: response.status, headers: response.headers, text: typeof response.body === 'string' ? response.body : '' };
}

const METHODS = {
  GET: 'get',
  HEAD: 'head',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
  OPTIONS: 'options',
} as const satisfies Record<Exclude<Method, 'QUERY'>, string>;

/** In place of superagent's own parsers, so that a body that is no JSON is a finding and not an exception. */
function readText(response: unknown, done: (error: Error | null, body: string) => void): void {
  const chunks: Buffer[] = [];
  (response as IncomingMessage)
    .on('data', (chunk: Buffer) => chunks.push(Buffer.from(chunk)))
    .on('end', () => {
      done(null, Buffer.concat(chunks).toString('utf8'));
    });
}
