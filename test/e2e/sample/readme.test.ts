import { readFileSync } from 'node:fs';
import { describeOnBlog } from '../../support/sample-process.js';

/** Every request of README.md, on the running sample. */
const REQUESTS = [...readFileSync('README.md', 'utf8').matchAll(/^curl (?:.*\\\n)*.*$/gm)].map(([line]) => line);

describeOnBlog('README.md', (blog) => {
  it('has requests', () => {
    expect(REQUESTS.length).toBeGreaterThan(2);
  });

  it.each(REQUESTS)('%s works as written', async (line) => {
    const { url, init } = readCurl(line);
    const response = await fetch(url.replace('http://localhost:3000', blog.url), init);
    const answer = await response.text();
    expect([response.ok, answer]).toEqual([true, answer]);
    expect(JSON.parse(answer)).not.toMatchObject({ data: [] });
  });
});

function readCurl(line: string): { readonly url: string; readonly init: RequestInit } {
  const quoted = (flag: string): readonly string[] =>
    [...line.matchAll(new RegExp(` ${flag} '([^']*)'`, 'g'))].map(([, value = '']) => value);
  const [url = ''] = /http:[^']*/.exec(line) ?? [];
  const headers = quoted('-H').map((header) => header.split(': ') as [string, string]);
  const [body] = quoted('-d');
  const query = quoted('--data-urlencode').map(
    (pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as [string, string],
  );
  return {
    url: query.length === 0 ? url : `${url}?${new URLSearchParams(query).toString()}`,
    init: body === undefined ? { headers } : { method: 'POST', headers, body },
  };
}
