import { readFileSync } from 'node:fs';
import { describeOnBlog } from '../../support/sample-process.js';

/** Every request of docs/rpc.md, on the running sample: the line, its headers, and after an empty line or none its body. */
const BLOCKS = [...readFileSync('docs/rpc.md', 'utf8').matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
  language,
  text,
}));
const REQUESTS = BLOCKS.filter(({ language }) => language === '')
  .map(({ text }) => {
    const [first = '', ...lines] = text.trim().split('\n');
    const [method = '', path = ''] = first.split(' ');
    const headers = lines.filter((line) => /^[A-Z][\w-]+: /.test(line)).map((line) => line.split(': ') as [string, string]);
    return { method, path, headers, body: lines.filter((line) => /^[{[ ]/.test(line)).join('\n') };
  })
  // Deletes run last, because deleted records can no longer be read.
  .toSorted((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'));
const BATCH = BLOCKS.find(({ text }) => text.startsWith('['))?.text ?? '';

describeOnBlog('docs/rpc.md', (blog) => {
  const send = async (path: string, init: { method: string; headers?: Record<string, string>; body?: string }): Promise<unknown> => {
    const headers = { 'X-User-Id': '1', ...(init.body !== undefined && { 'Content-Type': 'application/json' }), ...init.headers };
    const response = await fetch(`${blog.url}${path}`, { ...init, headers });
    const answer = await response.json();
    expect([response.ok, answer]).toEqual([true, answer]);
    return answer;
  };

  it('has requests', () => {
    expect(REQUESTS.map(({ method }) => method)).toEqual(['GET', 'PATCH', 'POST', 'QUERY', 'DELETE', 'DELETE']);
  });

  it('has a batch that works as written', async () => {
    expect(await send('/api/rpc/$transaction/sequential', { method: 'POST', body: BATCH })).toMatchObject({
      data: [{ id: 1, published: true }, expect.any(Number)],
    });
  });

  it.each(REQUESTS)('$method $path works as written', async ({ method, path, headers, body }) => {
    const answer = await send(path, { method, headers: Object.fromEntries(headers), ...(body !== '' && { body }) });
    expect(answer).not.toMatchObject({ data: [] });
  });
});
