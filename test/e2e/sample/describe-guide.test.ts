import { readFileSync } from 'node:fs';
import { describeOnBlog } from '../../support/sample-process.js';

const [, json = ''] = /^```json\n([\s\S]*?)^```$/m.exec(readFileSync('docs/describe.md', 'utf8')) ?? [];

describeOnBlog('docs/describe.md', (blog) => {
  it('has the response of the sample', async () => {
    const response = await fetch(`${blog.url}/api/rpc/$describe/tag`);
    expect(await response.json()).toEqual(JSON.parse(json));
  });
});
