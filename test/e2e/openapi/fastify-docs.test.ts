import type { OpenApiDocument } from '../../../lib/openapi/open-api.js';
import { sample } from '../../support/sample.js';
import { type SampleProcess, startSample } from '../../support/sample-process.js';

// In a process of its own: Jest's modules cannot load `@fastify/static` as `@nestjs/swagger` does.
sample.omitted.describe('setupDocs on Fastify', () => {
  let app: SampleProcess;
  beforeAll(async () => {
    app = await startSample('test/e2e/openapi/fastify-docs.mjs', 'listens');
  }, 60_000);
  afterAll(() => app.stop('SIGTERM'));

  it('serves Swagger UI with what the page loads', async () => {
    const page = await fetch(`${app.url}/docs`);
    const text = await page.text();
    expect([page.status, text]).toEqual([200, expect.stringContaining('<title>On Fastify</title>')]);
    const assets = [...text.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, path = '']) => new URL(path, page.url));
    expect(assets.length).toBeGreaterThan(2);
    const answers = await Promise.all(assets.map(async (url) => [url.pathname, (await fetch(url)).status]));
    expect(answers).toEqual(assets.map(({ pathname }) => [pathname, 200]));
  });

  it('serves the document, with the global prefix in its paths', async () => {
    const document = (await (await fetch(`${app.url}/docs-json`)).json()) as OpenApiDocument;
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'On Fastify' } });
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/v1/api/rest/post', '/v1/api/rpc/post/findMany']));
    expect(await (await fetch(`${app.url}/docs-yaml`)).text()).toContain('openapi: 3.1.0');
  });

  it('leaves no route of ours with a model as a parameter in the document', async () => {
    const { paths } = (await (await fetch(`${app.url}/docs-json`)).json()) as OpenApiDocument;
    expect(Object.keys(paths).filter((path) => /\{(?!id\})|\*|:/.test(path))).toEqual([]);
  });
});
