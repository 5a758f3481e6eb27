import type { RestResponse } from '../../support/rest-client.js';
import { describeWrites, refusalOf, tag } from './write-suite.js';

/** Post 1 has two comments and two tags, user 1 four posts, category 1 a post and three categories below it. */
describeWrites('limits.maxTake for the response to a write', { limits: { maxTake: 3 }, rest: { pageSize: Infinity } }, (suite) => {
  const REFUSED = [400, 'limit-exceeded nowhere'];

  async function requireUntouched(send: () => Promise<RestResponse>): Promise<void> {
    const { post, category } = suite.database.prisma;
    const orderBy = { id: 'asc' } as const;
    const read = (): Promise<unknown> => Promise.all([post.findMany({ include: { tags: true }, orderBy }), category.findMany({ orderBy })]);
    const before = await read();
    expect(refusalOf(await send())).toEqual(REFUSED);
    expect(await read()).toEqual(before);
  }

  it('creates nothing if the response exceeds it', () =>
    requireUntouched(() =>
      suite.app.rest.post('/post?include=author.posts', { data: { type: 'post', attributes: { title: 'New', authorId: 1 } } }),
    ));

  it('upserts nothing if the response exceeds it', () =>
    requireUntouched(() =>
      suite.app.rest.post('/category?include=children.children,posts', {
        data: { type: 'category', attributes: { slug: 'software', name: 'Changed' } },
        meta: { operation: 'upsert', matchFields: ['slug'] },
      }),
    ));

  it('updates nothing if the response exceeds it', () =>
    requireUntouched(() =>
      suite.app.rest.patch('/post/1?include=comments,tags', { data: { type: 'post', id: 1, attributes: { title: 'x' } } }),
    ));

  it('changes no relationship if the response exceeds it', async () => {
    const url = '/post/1/relationships/tags';
    await requireUntouched(() => suite.app.rest.post(url, { data: [tag(3), tag(4)] }));
    await requireUntouched(() => suite.app.rest.delete(`${url}?include=tags.posts`, { data: [tag(5)] }));
  });

  it('writes if the response has exactly as many rows', async () => {
    const updated = await suite.app.rest.patch('/post/1?include=comments,author', {
      data: { type: 'post', id: 1, attributes: { title: 'x' } },
    });
    expect([updated.status, updated.included.length]).toEqual([200, 3]);
    expect((await suite.app.rest.post('/post/1/relationships/tags', { data: [tag(3)] })).ids).toEqual([1, 2, 3]);
  });
});
