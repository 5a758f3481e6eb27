import type { RpcFetch } from '../../../lib/client/index.js';
import type { RpcFetchInit } from '../../../lib/client/rpc-client-options.js';

/** A request that a client has made. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed; undefined when there was none. */
  readonly body: unknown;
  readonly signal: AbortSignal | undefined;
}

export interface RecordedFetch {
  readonly fetch: RpcFetch;
  readonly requests: RecordedRequest[];
}

/** Returns a `fetch` that records each request, and returns the same response to all of them. */
export function recordedFetch(answer: unknown = { data: null }, status = 200): RecordedFetch {
  const requests: RecordedRequest[] = [];
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const fetch: RpcFetch = (url, init) => {
    requests.push(record(url, init));
    return Promise.resolve(new Response(text, { status }));
  };
  return { fetch, requests };
}

function record(url: string, { method, headers, body, signal }: RpcFetchInit): RecordedRequest {
  return { method, url, headers: Object.fromEntries(headers), body: body === undefined ? undefined : JSON.parse(body), signal };
}

/** Query parameters of a URL, which may be relative; those of this protocol hold JSON. */
export function searchOf(url: string): Readonly<Record<string, unknown>> {
  const parameters = new URLSearchParams(url.split('?')[1]);
  return Object.fromEntries([...parameters].map(([name, value]) => [name, JSON.parse(value) as unknown]));
}
