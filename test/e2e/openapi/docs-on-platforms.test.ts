import { type IncomingHttpHeaders, request } from 'node:http';
import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { OpenApiDocument } from '../../../lib/openapi/open-api.js';
import { sample } from '../../support/sample.js';
import { type SampleProcess, startSample } from '../../support/sample-process.js';

/** The reader of YAML that `@nestjs/swagger` has. */
const { load } = createRequire(createRequire(import.meta.url).resolve('@nestjs/swagger'))('js-yaml') as { load: (text: string) => unknown };

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

// In separate processes: Jest's modules cannot load `@fastify/static` as `@nestjs/swagger` does.
describe.each(sample.choose(['fastify'], ['express', 'fastify']))('setupDocs on %s', (platform) => {
  let app: SampleProcess;
  beforeAll(async () => {
    const environment = { ...process.env, NODE_OPTIONS: '', PLATFORM: platform };
    app = await startSample('test/e2e/openapi/docs-application.mjs', 'listens', { cwd: '.', node: process.execPath, environment });
  }, 60_000);
  afterAll(() => app.stop('SIGTERM'));

  /** Sends a request without the headers that `fetch` adds, and does not decompress the response. */
  function send(path: string, headers: IncomingHttpHeaders = {}, method = 'GET'): Promise<Answer> {
    return new Promise((resolve, reject) => {
      request(app.url + path, { method, headers }, (response) => {
        buffer(response).then((body) => {
          resolve({ status: response.statusCode, headers: response.headers, body });
        }, reject);
      })
        .on('error', reject)
        .end();
    });
  }

  const documentOf = ({ body }: Answer): OpenApiDocument => JSON.parse(body.toString()) as OpenApiDocument;

  it('serves Swagger UI with the assets of the page', async () => {
    const page = await fetch(`${app.url}/docs`);
    const text = await page.text();
    expect([page.status, text]).toEqual([200, expect.stringContaining('<title>The title</title>')]);
    const assets = [...text.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, path = '']) => new URL(path, page.url));
    expect(assets.length).toBeGreaterThan(2);
    const answers = await Promise.all(assets.map(async (url) => [url.pathname, (await fetch(url)).status]));
    expect(answers).toEqual(assets.map(({ pathname }) => [pathname, 200]));
  });

  it('has the URL of the document on the page, which works with and without a trailing slash', async () => {
    const script = (await send('/docs/swagger-ui-init.js')).body.toString();
    expect(script).toContain('"url": "docs-json"');
    expect(script).not.toContain('/v1/api/rest/post');
    const documents = await Promise.all(['/docs', '/docs/'].map((page) => send(new URL('docs-json', app.url + page).pathname)));
    expect(documents.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('serves the document, with the global prefix in its paths', async () => {
    const answer = await send('/docs-json');
    const document = documentOf(answer);
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'The title' } });
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/v1/api/rest/post', '/v1/api/rpc/post/findMany']));
    expect(answer.headers).toMatchObject({
      'content-type': expect.stringMatching(/^application\/json/),
      'content-length': String(answer.body.length),
      'cache-control': 'no-cache',
    });
  });

  it('serves the same document as YAML', async () => {
    const answer = await send('/docs-yaml');
    const text = answer.body.toString();
    expect(text).toContain('openapi: 3.1.0\n');
    expect(load(text)).toEqual(documentOf(await send('/docs-json')));
    expect(answer.headers['content-type']).toMatch(/^text\/yaml/);
  });

  it('compresses the document for clients that accept gzip', async () => {
    const [plain, packed] = await Promise.all([send('/docs-json'), send('/docs-json', { 'accept-encoding': 'br, gzip;q=0.8' })]);
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': String(packed.body.length) });
    expect(gunzipSync(packed.body)).toEqual(plain.body);
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const { headers } of [plain, packed]) expect(headers.vary?.split(', ')).toEqual(['Origin', 'Accept-Encoding']);
    for (const accepted of ['gzip;q=0, br', 'x-gzipped', 'gzip; q=0.0', '*, gzip;level=1;q=0']) {
      const { headers } = await send('/docs-json', { 'accept-encoding': accepted });
      expect([accepted, headers['content-encoding']]).toEqual([accepted, undefined]);
    }
    expect((await send('/docs-json', { 'accept-encoding': '*' })).headers['content-encoding']).toBe('gzip');
  });

  it('answers 304 to a matching If-None-Match', async () => {
    const { headers } = await send('/docs-json', { 'accept-encoding': 'gzip' });
    const etag = headers.etag ?? '';
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    for (const tag of [etag, `"other", ${etag}`, '*', etag.slice(2)]) {
      const answer = await send('/docs-json', { 'if-none-match': tag });
      expect([answer.status, answer.body.length, answer.headers.etag]).toEqual([304, 0, etag]);
    }
    expect((await send('/docs-json', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('answers HEAD as GET, without a body', async () => {
    const [get, head] = [await send('/docs-json'), await send('/docs-json', {}, 'HEAD')];
    expect([head.status, head.body.length]).toEqual([200, 0]);
    for (const name of ['content-type', 'content-length', 'etag', 'vary'])
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
  });

  it('has no route with the model as a parameter in the document', async () => {
    const { paths } = documentOf(await send('/docs-json'));
    expect(Object.keys(paths).filter((path) => /\{(?!id\})|\*|:/.test(path))).toEqual([]);
  });
});
