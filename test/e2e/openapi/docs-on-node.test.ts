import { ResourceApiModule } from '../../../lib/index.js';
import { startTestApp } from '../../support/test-app.js';
import { fakeClient, tinySchema } from '../../support/tiny-app.js';

describe('setupDocs on node', () => {
  it('serves the page and the compressed document, and 304 for a matching If-None-Match', async () => {
    const app = await startTestApp({
      platform: 'node',
      options: { schema: tinySchema, getClient: () => fakeClient(), access: 'public' },
      configure: (nest) => ResourceApiModule.setupDocs(nest, { path: 'docs', title: 'The title' }),
    });
    const page = await app.agent
      .get('/docs')
      .expect(200)
      .expect('Content-Type', /^text\/html/);
    expect(page.text).toContain('<title>The title</title>');
    const { body, headers } = await app.agent.get('/docs-json').expect(200).expect('Content-Encoding', 'gzip');
    expect(body).toMatchObject({ info: { title: 'The title' }, paths: { '/api/rest/post': { get: {} } } });
    await app.agent
      .get('/docs-json')
      .set('If-None-Match', headers['etag'] ?? '')
      .expect(304, '');
    const plain = await fetch(`${app.url}/docs-json`, { headers: { 'Accept-Encoding': 'identity' } });
    expect(await plain.json()).toEqual(body);
    await app.close();
  });
});
