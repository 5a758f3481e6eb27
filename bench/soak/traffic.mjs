/*
 * Mixed traffic of both styles. A worker sends one request after the other; what it creates it deletes, so that the tables keep their size.
 */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const JSON_API = { 'Content-Type': 'application/vnd.api+json' };
const JSON_TYPE = { 'Content-Type': 'application/json' };
const ATOMIC = { 'Content-Type': 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"' };

/** A response of an application that has more requests than it can serve. */
class Unavailable extends Error {}

export class Traffic {
  /** Milliseconds of each request since the last `takeLatencies`. */
  #latencies = [];
  #open;
  #resume;
  #running = 0;
  #isOver = false;
  #number = 0;
  statuses = new Map();
  aborted = 0;
  unavailable = 0;
  /** Responses that are not what their request expects. */
  wrong = [];

  constructor(port, connections) {
    this.port = port;
    this.agent = new Agent({ keepAlive: true, maxSockets: connections });
    this.workers = Array.from({ length: connections }, (_, index) => this.#work(index));
  }

  /** Waits until no request is running, and does some work. */
  async during(work) {
    this.#open = new Promise((resolve) => (this.#resume = resolve));
    while (this.#running > 0) await sleep(5);
    // Requests that were aborted may still be running in the application.
    await sleep(250);
    const result = await work();
    this.#open = undefined;
    this.#resume();
    return result;
  }

  takeLatencies() {
    return this.#latencies.splice(0).sort((one, other) => one - other);
  }

  async end() {
    this.#isOver = true;
    await Promise.all(this.workers);
    this.agent.destroy();
  }

  async #work(index) {
    for (let step = index; !this.#isOver; step += 1) {
      await this.#open;
      this.#running += 1;
      await SCENARIOS[step % SCENARIOS.length](this, (this.#number += 1)).catch((error) => {
        if (!(error instanceof Unavailable)) this.wrong.push(String(error));
      });
      this.#running -= 1;
    }
  }

  /** @returns the text of the response; its status must be the expected one */
  async send(method, path, { headers = {}, body, status = 200, abortAfter } = {}) {
    const begin = performance.now();
    const answer = await this.#exchange(method, path, { headers, body, abortAfter });
    if (answer === undefined) {
      this.aborted += 1;
      return '';
    }
    this.#latencies.push(performance.now() - begin);
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
    if (isUnavailable(answer)) {
      this.unavailable += 1;
      throw new Unavailable();
    }
    if (answer.status !== status) this.wrong.push(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    return answer.text;
  }

  /** @returns undefined for a request that is aborted */
  #exchange(method, path, { headers, body, abortAfter }) {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const length = text === undefined ? {} : { 'Content-Length': Buffer.byteLength(text) };
    return new Promise((resolve, reject) => {
      const outgoing = request(
        { host: '127.0.0.1', port: this.port, method, path, headers: { ...headers, ...length }, agent: this.agent },
        (response) => {
          const chunks = [];
          response.on('data', (chunk) => {
            chunks.push(chunk);
            if (abortAfter === 'the first bytes') outgoing.destroy();
          });
          response.on('end', () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }));
          response.on('error', () => resolve(undefined));
        },
      );
      outgoing.on('error', (error) => (abortAfter === undefined ? reject(error) : resolve(undefined)));
      outgoing.on('close', () => abortAfter !== undefined && resolve(undefined));
      outgoing.end(text);
      if (typeof abortAfter === 'number') setTimeout(() => outgoing.destroy(), abortAfter);
    });
  }
}

/** Whether a request has passed `limits.maxDuration`. A write that may be committed by then is answered with 500 `outcome-unknown`. */
function isUnavailable({ status, text }) {
  return status === 503 || (status === 500 && text.includes('did not confirm this write'));
}

const q = (args) => encodeURIComponent(JSON.stringify(args));
const audit = (kind) => ({ data: { type: 'auditEvent', attributes: { kind, payload: { kind, list: [1, 2, 3] } } } });
/** Few of them: Prisma caches a plan for each offset, so that many would fill its cache for hours. */
const offset = (number) => (number % 20) * 25;
const ids = (number) => Array.from({ length: 1 + (number % 20) }, (_, index) => 1 + ((number + index) % 2000));

/** @type {readonly ((traffic: Traffic, number: number) => Promise<unknown>)[]} */
const SCENARIOS = [
  (traffic, number) => traffic.send('GET', `/rest/post?page[limit]=20&page[offset]=${offset(number)}&include=author,comments,tags`),
  (traffic, number) => traffic.send('GET', `/rest/post/${1 + (number % 12)}?include=author.profile`),
  (traffic, number) => traffic.send('GET', `/rest/comment?filter[post][id$in]=${ids(number)}&sort=-createdAt,id&page[limit]=10`),
  (traffic, number) =>
    traffic.send('GET', `/rpc/post/findMany?q=${q({ take: 20, skip: offset(number), include: { author: true, _count: true } })}`),
  (traffic, number) =>
    traffic.send(
      'GET',
      `/rpc/post/findMany?q=${q({ where: { id: { in: ids(number) } }, orderBy: { id: 'asc' }, select: { id: true, title: true } })}`,
    ),
  (traffic) => traffic.send('GET', `/rpc/post/groupBy?q=${q({ by: ['authorId'], _count: true, orderBy: { authorId: 'asc' } })}`),
  (traffic, number) => {
    const calls = ['count', 'findFirst'].map((op) => ({ model: 'comment', op, args: { where: { postId: 1 + (number % 2000) } } }));
    return traffic.send('POST', '/rpc/$transaction/sequential', { headers: JSON_TYPE, body: calls });
  },
  async (traffic) => {
    const page = JSON.parse(await traffic.send('GET', '/rest/post?page[size]=5&sort=title,id'));
    await traffic.send('GET', page.links.next.replace('http://localhost', ''));
  },
  async (traffic, number) => {
    const text = await traffic.send('POST', '/rest/auditEvent', { headers: JSON_API, body: audit(`soak-${number}`), status: 201 });
    const { id, attributes } = JSON.parse(text).data;
    const data = { type: 'auditEvent', id, attributes: { payload: { kind: attributes.kind } } };
    await traffic.send('PATCH', `/rest/auditEvent/${id}`, { headers: JSON_API, body: { data } });
    await traffic.send('DELETE', `/rest/auditEvent/${id}`, { status: 204 });
  },
  async (traffic, number) => {
    const body = { data: { type: `soak-${number}`, payload: { number } } };
    const { id } = JSON.parse(await traffic.send('POST', '/rpc/auditEvent/create', { headers: JSON_TYPE, body, status: 201 })).data;
    const update = { where: { id }, data: { payload: { number: -number } } };
    await traffic.send('PATCH', '/rpc/auditEvent/update', { headers: JSON_TYPE, body: update });
    await traffic.send('DELETE', `/rpc/auditEvent/delete?q=${q({ where: { id } })}`);
  },
  async (traffic, number) => {
    const keyed = {
      headers: { ...JSON_API, 'Idempotency-Key': `soak-${process.pid}-${number}` },
      body: audit(`keyed-${number}`),
      status: 201,
    };
    const first = await traffic.send('POST', '/rest/auditEvent', keyed);
    const second = await traffic.send('POST', '/rest/auditEvent', keyed);
    if (first !== second) traffic.wrong.push('A repeated key has another response.');
    await traffic.send('DELETE', `/rest/auditEvent/${JSON.parse(first).data.id}`, { status: 204 });
  },
  (traffic, number) => {
    const add = {
      op: 'add',
      data: {
        type: 'comment',
        lid: 'c',
        attributes: { body: `soak ${number}` },
        relationships: { post: { data: { type: 'post', id: 1 + (number % 12) } } },
      },
    };
    const body = { 'atomic:operations': [add, { op: 'remove', ref: { type: 'comment', lid: 'c' } }] };
    return traffic.send('POST', '/rest/operations', { headers: ATOMIC, body });
  },
  (traffic) => traffic.send('GET', '/rest/comment?sort=id', { headers: { Accept: 'text/csv' } }),
  (traffic) => traffic.send('GET', '/rest/post?sort=-id', { headers: { Accept: 'application/x-ndjson' }, abortAfter: 'the first bytes' }),
  (traffic, number) => traffic.send('GET', '/rest/post?page[limit]=100&include=comments,author', { abortAfter: number % 15 }),
  (traffic, number) =>
    traffic.send('GET', `/rpc/comment/findMany?q=${q({ take: 500, include: { post: true } })}`, { abortAfter: number % 15 }),
  (traffic, number) => traffic.send('GET', `/rest/post?filter[nothing${number}]=x`, { status: 400 }),
  (traffic, number) => traffic.send('GET', `/rest/post/${1_000_000 + number}`, { status: 404 }),
  (traffic) => traffic.send('POST', '/rest/tag', { headers: JSON_API, body: '{"data":', status: 400 }),
  (traffic) => traffic.send('POST', '/rest/user', { headers: { 'Content-Type': 'text/plain' }, body: 'x', status: 415 }),
  (traffic) => traffic.send('POST', '/rpc/tag/create', { headers: JSON_TYPE, body: { data: { id: 1, name: 'taken' } }, status: 400 }),
  (traffic, number) =>
    traffic.send('GET', `/rpc/post/findMany?q=${q({ where: { ['x'.repeat(1 + (number % 50))]: number } })}`, { status: 400 }),
];
