import createClient from 'openapi-fetch';
import { runSnippet, snippetsOf } from '../../docs/page-snippets.js';
import { describeOnBlog } from '../../support/sample-process.js';

interface Called {
  readonly response: Response;
  readonly data?: { readonly data: readonly unknown[] };
}

const CLIENT = snippetsOf('docs/openapi.md').find((code) => code.includes('querySerializer')) ?? '';

describeOnBlog('docs/openapi.md', (blog) => {
  it('has a client whose calls of both styles work', async () => {
    const code = CLIENT.replace('http://localhost:3000', blog.url).replace(
      /^const rest = [\s\S]*/m,
      (calls) => `const calls = async () => {${calls}; return { rest, rpc }; };`,
    );
    const calls = runSnippet(code, { createClient, console: { log: () => undefined } }, 'calls') as () => Promise<Record<string, Called>>;
    const { rest, rpc } = await calls();
    expect([rest?.response.status, rpc?.response.status]).toEqual([200, 200]);
    expect([rest?.data?.data.length, rpc?.data?.data.length]).toEqual([2, 2]);
  });
});
