import { createRpcClient } from '../../../lib/client/index.js';
import { reactAdminDataProvider, resourceDefinitions } from '../../../lib/react-admin/index.js';
import { refineAccessControlProvider, refineDataProvider } from '../../../lib/refine/index.js';
import { describeOnBlog } from '../../support/sample-process.js';

/** The examples of the documentation of each library, for each method, on the models of the blog. */
describeOnBlog('admin interfaces', (blog) => {
  const clientOf = (userId?: number): ReturnType<typeof createRpcClient> =>
    createRpcClient({ endpoint: `${blog.url}/api/rpc`, headers: { 'X-User-Id': userId?.toString() } });
  const SORT = { field: 'title', order: 'ASC' } as const;

  it('execute the examples of the documentation of react-admin', async () => {
    const dataProvider = reactAdminDataProvider(clientOf(2));
    const { data: posts, total } = await dataProvider.getList('post', {
      pagination: { page: 1, perPage: 5 },
      sort: SORT,
      filter: { authorId: 2 },
    });
    expect(total).toBeGreaterThanOrEqual(posts.length);
    const ids = posts.map(({ id }) => id as number);
    expect((await dataProvider.getOne('post', { id: ids[0] ?? 0 })).data).toEqual(posts[0]);
    expect((await dataProvider.getMany('post', { ids })).data).toEqual(posts);
    const reference = {
      target: 'postId',
      id: ids[0] ?? 0,
      pagination: { page: 1, perPage: 10 },
      sort: { field: 'createdAt', order: 'DESC' },
      filter: {},
    } as const;
    const comments = await dataProvider.getManyReference('comment', reference);
    expect(comments.data.every(({ postId }) => postId === ids[0])).toBe(true);
    const values = { slug: 'hello-world', title: 'hello, world', authorId: 2, viewCount: '9007199254740993', rating: '4.5' };
    const { data: created } = await dataProvider.create('post', { data: values });
    expect(created).toMatchObject(values);
    const changes = { id: created.id as number, previousData: created };
    const { data: updated } = await dataProvider.update('post', { ...changes, data: { ...created, title: 'hello, universe!' } });
    expect(updated).toMatchObject({ ...values, title: 'hello, universe!' });
    expect(await dataProvider.updateMany('post', { ids: [updated.id as number], data: { published: true } })).toEqual({
      data: [updated.id],
    });
    expect((await dataProvider.getList('post', { filter: { q: 'UNIVERSE' }, sort: SORT })).data).toMatchObject([
      { id: updated.id as number },
    ]);
    const { data: deleted } = await dataProvider.delete('post', { id: updated.id as number, previousData: updated });
    expect(deleted).toMatchObject({ id: updated.id as number, published: true });
    const { data: comment } = await dataProvider.create('comment', { data: { body: 'short-lived', postId: ids[0], authorId: 2 } });
    expect(await dataProvider.deleteMany('comment', { ids: [comment.id as number] })).toEqual({ data: [comment.id] });
  });

  it('execute the examples of the documentation of refine', async () => {
    const provider = refineDataProvider(clientOf(2));
    const { data: posts } = await provider.getList({
      resource: 'post',
      pagination: { currentPage: 1, pageSize: 2, mode: 'server' },
      sorters: [
        { field: 'author.name', order: 'asc' },
        { field: 'title', order: 'desc' },
      ],
      filters: [
        {
          operator: 'or',
          value: [
            { field: 'title', operator: 'contains', value: 'e' },
            { field: 'id', operator: 'gte', value: 1 },
          ],
        },
      ],
    });
    expect(posts).toHaveLength(2);
    const ids = posts.map(({ id }) => id ?? 0);
    expect((await provider.getOne({ resource: 'post', id: ids[0] ?? 0 })).data).toEqual(posts[0]);
    expect((await provider.getMany({ resource: 'post', ids })).data).toEqual(posts);
    const variables = ['first', 'second'].map((body) => ({ body, postId: ids[0], authorId: 2 }));
    const { data: comments } = await provider.createMany({ resource: 'comment', variables });
    const commentIds = comments.map(({ id }) => id ?? 0);
    const updated = await provider.update({ resource: 'comment', id: commentIds[0] ?? 0, variables: { body: 'changed' } });
    expect(updated.data).toMatchObject({ body: 'changed', authorId: 2 });
    expect((await provider.deleteMany({ resource: 'comment', ids: commentIds })).data).toHaveLength(2);
    expect((await provider.custom({ url: `${provider.getApiUrl()}/tag/count`, method: 'get' })).data).toEqual(expect.any(Number));
  });

  it('list every model for an anonymous reader, without hidden fields', async () => {
    const definitions = await resourceDefinitions(clientOf());
    expect(definitions.map(({ name }) => name)).toEqual(['user', 'profile', 'post', 'comment', 'tag']);
    expect(JSON.stringify(definitions)).not.toContain('passwordHash');
    const provider = reactAdminDataProvider(clientOf());
    for (const { name, ids, representation } of definitions) {
      const { data } = await provider.getList(name, {
        pagination: { page: 1, perPage: 3 },
        sort: { field: representation, order: 'ASC' },
        meta: { ids },
      });
      expect(data.length).toBeGreaterThan(0);
    }
    expect(await refineAccessControlProvider(clientOf()).can({ resource: 'user', action: 'create' })).toMatchObject({ can: false });
  });
});
