import { expect, it } from '@jest/globals';
import { Jsona } from 'jsona';
import { describeClient } from './client-suite.js';

/** Jsona's type of a JSON:API document. */
type Body = Parameters<Jsona['deserialize']>[0];

describeClient('jsona', (suite, strict) => {
  const jsona = new Jsona();
  const id = (number: number): number | string => (strict ? String(number) : number);

  const fetchText = async (path: string, init: RequestInit = {}): Promise<string> => {
    const headers = { 'Content-Type': 'application/vnd.api+json' };
    return (await fetch(`${suite.baseUrl}${path}`, { ...init, ...(init.body !== undefined && { headers }) })).text();
  };

  it('reads a compound document into linked models', async () => {
    const post = jsona.deserialize(await fetchText('/post/1?include=author.profile,comments.author,tags'));
    expect(post).toMatchObject({
      id: id(1),
      title: 'Post 01',
      author: { name: 'Ada Lovelace', profile: { bio: 'Wrote the first program.' } },
      comments: [{ body: 'Comment 1', author: { name: 'Ada Lovelace' } }, {}],
      tags: [{ name: 'typescript' }, {}],
      category: { id: id(1) },
    });
  });

  it('reads a collection', async () => {
    expect(jsona.deserialize(await fetchText('/post?sort=-id&page[limit]=2'))).toMatchObject([{ title: 'Post 12' }, { title: 'Post 11' }]);
  });

  it('writes documents that create and update, and reads the answers', async () => {
    const created = jsona.serialize({
      stuff: {
        type: 'post',
        title: 'By jsona',
        author: { type: 'user', id: '2' },
        tags: [{ type: 'tag', id: '5' }],
        relationshipNames: ['author', 'tags'],
      },
      includeNames: [],
    });
    const post = jsona.deserialize(await fetchText('/post?include=tags', { method: 'POST', body: JSON.stringify(created) }));
    expect(post).toMatchObject({ id: id(13), title: 'By jsona', author: { id: id(2) }, tags: [{ name: 'unused' }] });
    const changed = jsona.serialize({ stuff: { type: 'post', id: '13', title: 'Changed' } });
    const answer = await fetchText('/post/13', { method: 'PATCH', body: JSON.stringify(changed) });
    expect(jsona.deserialize(JSON.parse(answer) as Body)).toMatchObject({ id: id(13), title: 'Changed' });
  });
});
