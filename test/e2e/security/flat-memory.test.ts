import { request as httpRequest } from 'node:http';
import { long } from '../../support/long.js';
import { onPlatforms } from '../../support/test-app.js';
import { type SmallServer, startSmallServer } from './support/small-server.js';

const AT_ONCE = 40;

/** The API needs about 70 MB more than at rest for any number of attacks. A server that reads 40 bodies of 10 MB needs 300 MB more. */
const ROOM = 180;

interface Attack {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const MEGABYTES_10 = 'x'.repeat(10_000_000);
const JSON_API = { 'Content-Type': 'application/vnd.api+json' };
const JSON_TYPE = { 'Content-Type': 'application/json' };
const AS_GET = { ...JSON_TYPE, 'X-HTTP-Method-Override': 'GET' };

const nested = (depth: number, open: string, close: string, inner = ''): string => open.repeat(depth) + inner + close.repeat(depth);
const alternatives = `{"where":{"OR":[${'{"id":1},'.repeat(49_999)}{"id":1}]}}`;
const values = `{"where":{"id":{"in":[${'1,'.repeat(99_999)}1]}}}`;
const objects = `{"where":${nested(1000, '{"NOT":', '}', '{}')}}`;
const inBatch = (args: string): Attack => {
  const body = `[{"model":"user","op":"findMany","args":${args}}]`;
  return { method: 'POST', path: '/api/rpc/$transaction/sequential', headers: JSON_TYPE, body };
};

const ATTACKS: readonly (readonly [name: string, attack: Attack])[] = [
  ['10 MB of q', { method: 'GET', path: `/api/rpc/user/findMany?q=${MEGABYTES_10}` }],
  ['10 MB of a filter', { method: 'GET', path: `/api/rest/user?filter[name]=${MEGABYTES_10}` }],
  [
    '10 MB of an argument',
    { method: 'POST', path: '/api/rpc/user/findMany', headers: AS_GET, body: `{"where":{"name":"${MEGABYTES_10}"}}` },
  ],
  ['10 MB of a batch', inBatch(`{"where":{"name":"${MEGABYTES_10}"}}`)],
  ['10 MB of a document', { method: 'POST', path: '/api/rest/user', headers: JSON_API, body: `{"data":"${MEGABYTES_10}"}` }],
  ['50,000 alternatives', { method: 'POST', path: '/api/rpc/user/findMany', headers: AS_GET, body: alternatives }],
  ['50,000 alternatives in a batch', inBatch(alternatives)],
  ['100,000 values', { method: 'POST', path: '/api/rpc/user/findMany', headers: AS_GET, body: values }],
  ['100,000 values in a batch', inBatch(values)],
  ['1,000 brackets', { method: 'GET', path: `/api/rest/user?filter${'[or][0]'.repeat(500)}[name]=x` }],
  ['1,000 objects', { method: 'POST', path: '/api/rpc/user/findMany', headers: AS_GET, body: objects }],
  ['1,000 objects in a batch', inBatch(objects)],
  [
    '100,000 lists in a document',
    { method: 'PATCH', path: '/api/rest/user/1', headers: JSON_API, body: `{"data":${nested(100_000, '[', ']')}}` },
  ],
  ['an include in circles', { method: 'GET', path: `/api/rest/post?include=${Array(100).fill('author.posts').join('.')}` }],
];

/** All attacks go to one process with a heap of 64 MB, which a memory leak would exhaust. */
long.describe('memory', () => {
  onPlatforms('under attack', (platform) => {
    let server: SmallServer;
    let atRest: number;

    beforeAll(async () => {
      server = await startSmallServer(platform, 64);
      atRest = (await server.report()).megabytes;
    });
    afterAll(() => server.stop());

    it.each(ATTACKS)('17. does not grow by rejected requests · %s', async (_, attack) => {
      const statuses = await Promise.all(Array.from({ length: AT_ONCE }, () => statusOf(server, attack)));
      expect(statuses.filter((status) => ![400, 413, 414, 431, 'closed'].includes(status))).toEqual([]);
      const { calls, megabytes } = await server.report();
      expect(calls).toBe(0);
      expect(megabytes).toBeLessThan(atRest + ROOM);
    });

    it('17. is sufficient for a valid request afterwards', async () => {
      expect(await statusOf(server, { method: 'GET', path: '/api/rpc/user/findMany' })).toBe(200);
      expect((await server.report()).calls).toBe(1);
    });
  });
});

/** Returns the status of a response, or that the server has closed the connection. */
function statusOf({ port }: SmallServer, { method, path, headers = {}, body }: Attack): Promise<number | 'closed'> {
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const outgoing = httpRequest(
      { port, host: '127.0.0.1', method, path, headers: { ...headers, ...length }, agent: false },
      (response) => {
        response.resume().on('end', () => {
          resolve(response.statusCode ?? 0);
        });
      },
    );
    outgoing.on('error', () => {
      resolve('closed');
    });
    outgoing.end(body);
  });
}
