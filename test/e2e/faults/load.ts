import { setTimeout as sleep } from 'node:timers/promises';
import { memberOf } from '../../../lib/errors/member-of.js';
import type { Ledger, Outcome } from './ledger.js';

const JSON_API = { 'content-type': 'application/vnd.api+json' };
const RPC = { 'content-type': 'application/json' };

/** A request, and the rows that it stores. */
export interface Sent {
  readonly path: string;
  readonly init?: RequestInit;
  readonly rows: number;
  readonly isKeyed?: boolean;
}

/** A response with a status from 400 on. */
export interface Refusal {
  readonly path: string;
  readonly status: number;
  readonly text: string;
  /** The code of REST, or the message of RPC. */
  readonly said: string;
  /** The id of its line in the log, which REST responses have. */
  readonly id: string | undefined;
}

export const post = (headers: Readonly<Record<string, string>>, body: unknown): RequestInit => ({
  method: 'POST',
  headers,
  body: JSON.stringify(body),
});

const resource = (mark: string) => ({ data: { type: 'auditEvent', attributes: { kind: mark, payload: {} } } });
const row = (mark: string) => ({ data: { type: mark, payload: {} } });
const create = (mark: string) => ({ model: 'auditEvent', op: 'create', args: row(mark) });

/** A transaction of two rows, with other calls between them. */
export const transaction = (mark: string, calls: readonly object[] = []): Sent => ({
  path: '/api/rpc/$transaction/sequential',
  init: post(RPC, [create(mark), ...calls, create(mark)]),
  rows: 2,
});

const ATOMIC = { 'content-type': 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"' };

/** Two rows by JSON:API's atomic operations. */
export const atomicOperations = (mark: string): Sent => {
  const add = { op: 'add', ...resource(mark) };
  return { path: '/api/rest/operations', init: post(ATOMIC, { 'atomic:operations': [add, add] }), rows: 2 };
};

/** Reads and writes of both styles. Each write has a unique mark. */
export const REQUESTS: readonly ((mark: string) => Sent)[] = [
  () => ({ path: '/api/rest/post?page[limit]=5', rows: 0 }),
  (mark) => ({ path: '/api/rest/auditEvent', init: post(JSON_API, resource(mark)), rows: 1 }),
  (mark) => ({ path: '/api/rpc/auditEvent/create', init: post(RPC, row(mark)), rows: 1 }),
  () => ({ path: '/api/rpc/post/findMany?q=%7B%22take%22%3A3%7D', rows: 0 }),
  (mark) => transaction(mark),
  (mark) => ({
    path: '/api/rest/auditEvent',
    init: post({ ...JSON_API, 'idempotency-key': mark }, resource(mark)),
    rows: 1,
    isKeyed: true,
  }),
  () => ({ path: '/api/rest/post/1', rows: 0 }),
  (mark) => ({ path: '/api/rpc/auditEvent/create', init: post({ ...RPC, 'idempotency-key': mark }, row(mark)), rows: 1, isKeyed: true }),
];

/** The deadline of each response, in milliseconds. */
const RESPONSE = 30_000;

/** Requests at a time. */
const WORKERS = 6;

/** Clients that send one request after the other, and note the responses. */
export class Load {
  readonly refusals: Refusal[] = [];
  /** The writes with a key, to be repeated. */
  readonly #keyed = new Map<string, Sent>();
  /** Requests without a response. */
  lost = 0;
  sent = 0;
  #isOver = false;

  constructor(
    private readonly url: string,
    private readonly ledger: Ledger,
    /** The beginning of all marks. */
    private readonly name: string,
    private readonly requests: readonly ((mark: string, index: number) => Sent)[] = REQUESTS,
  ) {}

  /** Sends requests until some work is done. */
  async during(work: () => Promise<void>): Promise<void> {
    const workers = Array.from({ length: WORKERS }, () => this.#work());
    try {
      await sleep(100);
      await work();
    } finally {
      this.#isOver = true;
      await Promise.all(workers);
    }
  }

  async #work(): Promise<void> {
    while (!this.#isOver) {
      const status = await this.next();
      // After an error, the client waits before it sends the next request.
      await sleep(status < 400 ? 2 : 20);
    }
  }

  /** Sends the next request. Returns its status, or 599 without a response. */
  async next(signal: AbortSignal = AbortSignal.timeout(RESPONSE)): Promise<number> {
    const index = this.sent++;
    const mark = `mark-${this.name}-${index}`;
    const sent = this.requests[index % this.requests.length]?.(mark, index);
    if (!sent) throw new Error('There are no requests.');
    if (sent.isKeyed) this.#keyed.set(mark, sent);
    return this.#send(sent, mark, signal);
  }

  /** Repeats the writes whose key was not answered as stored. Returns those that still are not. */
  async repeatKeyed(): Promise<readonly string[]> {
    const left: string[] = [];
    for (const { mark } of this.ledger.repeatable) {
      const sent = this.#keyed.get(mark);
      if (sent && (await this.#send(sent, mark, AbortSignal.timeout(RESPONSE))) !== 201) left.push(mark);
    }
    return left;
  }

  async #send({ path, init, rows, isKeyed = false }: Sent, mark: string, signal: AbortSignal): Promise<number> {
    const note = (outcome: Outcome): void => {
      if (rows > 0) this.ledger.add({ mark, rows, isKeyed, outcome });
    };
    const response = await answered(`${this.url}${path}`, { ...init, signal });
    if (!response) {
      this.lost++;
      note('unknown');
      return 599;
    }
    const { status, text } = response;
    if (status >= 400) this.refusals.push(refusalOf(path, status, text));
    note(outcomeOf(status, text, isKeyed));
    return status;
  }
}

/** Returns undefined if the response is missing or truncated. */
async function answered(url: string, init: RequestInit): Promise<Pick<Refusal, 'status' | 'text'> | undefined> {
  try {
    const response = await fetch(url, init);
    // A load balancer answers in HTML when a server has closed its connection.
    if (response.headers.get('content-type')?.startsWith('text/html')) return undefined;
    return { status: response.status, text: await response.text() };
  } catch {
    return undefined;
  }
}

/** A write with a key that is refused with 503 may be stored, and is safe to repeat. */
function outcomeOf(status: number, text: string, isKeyed: boolean): Outcome {
  if (status < 400) return 'stored';
  return (isKeyed && status === 503) || text.includes('may be stored') ? 'unknown' : 'not stored';
}

/** @throws for a body that is not in the style's format */
function refusalOf(path: string, status: number, text: string): Refusal {
  const body: unknown = JSON.parse(text);
  if (path.startsWith('/api/rpc')) {
    const message = memberOf(body, 'message');
    if (typeof message !== 'string' || memberOf(memberOf(body, 'error'), 'message') !== message) throw new Error(text);
    return { path, status, text, said: message, id: undefined };
  }
  const errors = memberOf(body, 'errors');
  const error: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const [code, id, shown] = ['code', 'id', 'status'].map((name) => memberOf(error, name));
  if (typeof code !== 'string' || shown !== status) throw new Error(text);
  return { path, status, text, said: code, id: typeof id === 'string' ? id : undefined };
}
