import fastCheck from 'fast-check';
import { ResourceApiModule } from 'nestjs-resource-api';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { PROFILE } from '../../support/profile.mjs';
import { closeAll, endpoint, fakeClient, PLATFORMS, startTinyApp, tinySchema } from '../../support/tiny-app.js';

/** A request as it is written to the socket. */
interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly isChunked: boolean;
}

const row = { id: 1, title: 'Hello', authorId: 2 };
const write = () => Promise.resolve(row);
const client = { post: { ...fakeClient().post, create: write, update: write, delete: write, findUnique: write } };
const options = {
  schema: tinySchema,
  getClient: () => ({ ...client, $transaction: (work: (tx: object) => unknown) => work(client) }),
  rest: { prefix: 'api/rest', endpoint, operations: true },
  rpc: { prefix: 'api/rpc' },
  access: 'public',
  limits: { maxBodySize: '2kb' },
} as const;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY', 'OPTIONS', 'TRACE', 'LINK', 'PROPFIND', 'SEARCH', 'REPORT'];

const PATHS = [
  '/api/rest',
  '/api/rest/post',
  '/api/rest/post/1',
  '/api/rest/post/1/author',
  '/api/rest/post/1/relationships/author',
  '/api/rest/post/1/2/3/4',
  '/api/rest/nothing/1',
  '/api/rest/operations',
  '/api/rpc',
  '/api/rpc/post/findMany',
  '/api/rpc/post/create',
  '/api/rpc/post/nothing',
  '/api/rpc/$transaction/sequential',
];

/** Variants of a target before, within and after its path. Another test has invalid escapes, which Fastify answers itself. */
const VARIANTS: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => `http://api.test${path}`,
  (path) => `HTTPS://api.test:8443${path}?page%5Blimit%5D=1`,
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `${path}/.`,
  (path) => `${path}/..`,
  (path) => `${path}?`,
  (path) => `${path}?x=%zz&&=`,
  (path) => `${path}?filter[title]=%00`,
  (path) => path.replace('/1', '/%2541'),
  (path) => path.replace('/1', '/a%2Fb'),
  (path) => path.replace('/1', '/%00'),
  (path) => path.replace('/1', '/;x=1'),
  (path) => path.replace('/1', '/a+b%20c'),
  (path) => path.replace('/post', '//post'),
  (path) => path.replace('/post', '/POST'),
  (path) => path.replace('post', 'p%6Fst'),
  (path) => path.replace('/api', '/API'),
];

const TYPES = [
  'application/vnd.api+json',
  'application/json',
  'application/json; charset=utf-16',
  'application/vnd.api+json; charset=utf-8',
  'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"',
  'application/x-www-form-urlencoded',
  'text/plain',
  'nonsense',
  '',
];

/** Media types that the parsers of the application read, because it may have controllers at paths without a resource. */
const PARSED_TYPES = /^application\/(json|x-www-form-urlencoded)/;
const RESOURCES = /\/api\/r\w+\/(post|p%6Fst|operations|\$transaction)/i;

const BODIES = [
  '',
  '{',
  'null',
  '[]',
  '{}',
  '"\\ud800"',
  '{"__proto__":{"x":1}}',
  JSON.stringify({ data: { type: 'post', attributes: { title: 'x' }, relationships: { author: { data: { type: 'user', id: '2' } } } } }),
  JSON.stringify({ data: { type: 'post', id: '1', attributes: { title: 'x' } } }),
  JSON.stringify({ 'atomic:operations': [{ op: 'remove', ref: { type: 'post', id: '1' } }] }),
  JSON.stringify({ data: 'x'.repeat(3000) }),
  '['.repeat(1500),
].map((text) => Buffer.from(text));
const INVALID_UTF8 = Buffer.from([0x22, 0xff, 0xfe, 0x22]);

const ENCODINGS = ['', 'identity', 'gzip', 'GZIP', 'br', 'zstd', 'gzip, gzip'];

const requests: fastCheck.Arbitrary<RawRequest> = fastCheck
  .record({
    method: fastCheck.constantFrom(...METHODS),
    path: fastCheck.constantFrom(...PATHS),
    vary: fastCheck.constantFrom(...VARIANTS),
    type: fastCheck.constantFrom(...TYPES),
    body: fastCheck.constantFrom(...BODIES, INVALID_UTF8),
    encoding: fastCheck.constantFrom(...ENCODINGS),
    isChunked: fastCheck.boolean(),
    accept: fastCheck.constantFrom('', '*/*', 'text/html', 'application/vnd.api+json; charset=utf-8'),
    override: fastCheck.constantFrom('', '', '', 'DELETE', 'GET', 'nonsense'),
  })
  .map(({ method, path, vary, type, body, encoding, isChunked, accept, override }) => ({
    method,
    target: vary(path),
    headers: {
      ...(type && !(PARSED_TYPES.test(type) && !RESOURCES.test(vary(path))) && { 'Content-Type': type }),
      ...(encoding && { 'Content-Encoding': encoding }),
      ...(accept && { Accept: accept }),
      ...(override && { 'X-HTTP-Method-Override': override }),
    },
    body: encoding.toLowerCase() === 'gzip' ? gzipSync(body) : body,
    isChunked,
  }));

describe('platforms', () => {
  let ports: readonly number[];

  beforeAll(async () => {
    ports = await Promise.all(
      PLATFORMS.map(async (platform) => {
        const { app } = await startTinyApp(platform, [ResourceApiModule.forRoot(options)]);
        await app.listen(0, '127.0.0.1');
        return Number(new URL(await app.getUrl()).port);
      }),
    );
  });
  afterAll(closeAll);

  it('send the same bytes for any method, path, header and body', async () => {
    await fastCheck.assert(
      fastCheck.asyncProperty(requests, async (request) => {
        const [first, ...others] = await Promise.all(ports.map((port) => send(port, request)));
        for (const other of others) expect(other).toEqual(first);
      }),
      { numRuns: PROFILE === 'quick' ? 100 : 1000 },
    );
  }, 120_000);

  it.each([
    ['/%61pi/rest/post', { express: 404, fastify: 200, node: 200 }],
    [`/api/rest/post/${'1'.repeat(101)}`, { express: 400, fastify: 414, node: 400 }],
  ])('answer %s as docs/hosting.md documents', async (target, expected) => {
    for (const [index, platform] of PLATFORMS.entries()) {
      const { status } = await send(ports[index] ?? 0, { method: 'GET', target, headers: {}, body: Buffer.alloc(0), isChunked: false });
      expect([platform, Number(status.split(' ')[1])]).toEqual([platform, expected[platform]]);
    }
  });

  it.each(['/api/rest/post/%zz', '/api/rest/post/%', '/api/rest/%FF/1', '/api/rpc/post/%E0%A4%A'])(
    'answer 400 to %s, which cannot be decoded',
    async (target) => {
      const request = { method: 'GET', target, headers: {}, body: Buffer.alloc(0), isChunked: false };
      const answers = await Promise.all(ports.map((port) => send(port, request)));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 'HTTP/1.1 400 Bad Request'));
      expect(answers[PLATFORMS.indexOf('node')]).toEqual(answers[PLATFORMS.indexOf('express')]);
    },
  );
});

interface RawResponse {
  readonly status: string;
  readonly headers: readonly string[];
  readonly body: string;
}

/** Sends a request on a separate connection. Returns the response without the date and the ids of errors, which differ by design. */
async function send(port: number, { method, target, headers, body, isChunked }: RawRequest): Promise<RawResponse> {
  const chunks: Buffer[] = [];
  const socket = connect(port, '127.0.0.1');
  const lengths = isChunked ? ['Transfer-Encoding: chunked'] : body.length > 0 ? [`Content-Length: ${body.length}`] : [];
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.write([`${method} ${target} HTTP/1.1`, 'Host: api.test', 'Connection: close', ...lines, ...lengths, '', ''].join('\r\n'));
  if (isChunked && body.length > 0)
    socket.write(Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]));
  socket.write(isChunked ? '0\r\n\r\n' : body);
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('latin1');
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [status = '', ...given] = head.split('\r\n');
  const ours = given
    .map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase()))
    .filter((line) => !/^(date|x-powered-by):/.test(line));
  return { status, headers: ours.sort(), body: rest.join('\r\n\r\n').replace(/"id":"[0-9a-f-]{36}"/g, '"id":"…"') };
}
