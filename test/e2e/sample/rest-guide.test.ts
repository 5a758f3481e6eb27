import { readFileSync } from 'node:fs';
import { describeOnBlog } from '../../support/sample-process.js';

/** Every request of docs/rest.md, on the running sample. */
const BLOCKS = [...readFileSync('docs/rest.md', 'utf8').matchAll(/^```\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '');
const REQUESTS = BLOCKS.flatMap((block) =>
  [...block.matchAll(/^(GET|POST|PATCH|DELETE) (\S+)\n?((?:[{ ].*\n)*)/gm)].map(([, method = '', path = '', body = '']) => ({
    method,
    path,
    body,
  })),
);

describeOnBlog('docs/rest.md', (blog) => {
  it('has requests', () => {
    expect(REQUESTS.length).toBeGreaterThan(20);
  });

  it.each(REQUESTS)('$method $path works as written', async ({ method, path, body }) => {
    const response = await fetch(`${blog.url}/api/rest${path}`, {
      method,
      headers: { 'X-User-Id': '1', ...(body !== '' && { 'Content-Type': 'application/vnd.api+json' }) },
      ...(body !== '' && { body }),
    });
    const answer = await response.text();
    expect([response.ok, answer]).toEqual([true, answer]);
    if (method === 'GET') expect(JSON.parse(answer)).not.toMatchObject({ data: [] });
  });
});
