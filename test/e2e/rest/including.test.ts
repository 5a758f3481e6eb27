import { ENDPOINT } from '../../support/test-app.js';
import { describeReads, includedIn, refusalOf } from './read-suite.js';

describeReads('including', {}, (suite) => {
  it('may follow a relationship back once, and rejects a longer path', async () => {
    expect((await suite.app.rest.get('/tag?include=posts.tags')).status).toBe(200);
    suite.database.statements.clear();
    const { status, errors } = await suite.app.rest.get('/tag?include=posts.tags.posts');
    expect([status, errors[0]?.code, errors[0]?.source]).toEqual([400, 'limit-exceeded', { parameter: 'include' }]);
    const { body } = await suite.app.agent.get('/api/rpc/tag/findMany').query({
      q: JSON.stringify({ include: { posts: { include: { tags: { include: { posts: true } } } } } }),
    });
    expect(body.message).toContain('turns back');
    expect(suite.database.statements.all).toEqual([]);
  });

  it('IN-02, DS-15: answers with the related resources in included', async () => {
    const { one, included } = await suite.app.rest.get('/post/1?include=author&fields[user]=name');
    expect(one.relationships['author']).toEqual({ data: { type: 'user', id: 1 } });
    expect(one.relationships['reviewer']).toEqual({
      data: null,
      links: { self: `${ENDPOINT}/post/1/relationships/reviewer`, related: `${ENDPOINT}/post/1/reviewer` },
    });
    expect(included).toEqual([{ type: 'user', id: 1, attributes: { name: 'Ada Lovelace' }, links: { self: `${ENDPOINT}/user/1` } }]);
  });

  it('DS-16: sends linkage of an included to-many, ordered by id', async () => {
    const response = await suite.app.rest.get('/post/1?include=comments');
    expect(response.one.relationships['comments']).toEqual({ data: [1, 11].map((id) => ({ type: 'comment', id })) });
    expect(includedIn(response)).toEqual(['comment 1', 'comment 11']);
  });

  it('IN-03, IN-04: includes exactly the resources along a dotted path', async () => {
    const response = await suite.app.rest.get('/comment/1?include=post.author.profile,post.tags');
    expect([...includedIn(response)].sort()).toEqual(['post 1', 'profile 1', 'tag 1', 'tag 2', 'user 1']);
  });

  it('DS-17: includes each resource once, and no primary data', async () => {
    const response = await suite.app.rest.get('/post?include=author.posts,reviewer.posts,comments.post');
    const members = [...response.many, ...response.included].map(({ type, id }) => `${type} ${id}`);
    expect(new Set(members).size).toBe(members.length);
    expect(includedIn(response).filter((member) => member.startsWith('post'))).toEqual([]);
    expect(includedIn(response).filter((member) => member.startsWith('user'))).toHaveLength(3);
  });

  it('merges linkage of a resource on two paths', async () => {
    // User 1 is the author without posts, and the author of a comment with them.
    const response = await suite.app.rest.get(
      '/post/1?include=author,comments.author.posts&fields[user]=posts,name&fields[post]=author,comments',
    );
    const ada = response.included.find(({ type, id }) => type === 'user' && id === 1);
    expect(ada?.relationships['posts']).toEqual({ data: [1, 4, 7, 10].map((id) => ({ type: 'post', id })) });
  });

  it('follows a tree in both directions, five levels deep', async () => {
    const response = await suite.app.rest.get('/category/4?include=parent.parent.children.children.posts');
    expect([...includedIn(response)].sort()).toEqual(['category 1', 'category 2', 'category 3', 'post 4']);
  });

  it.each([
    ['/post/11?include=comments', []],
    ['/post/7?include=category', []],
    ['/post?include=tags&filter[id]=99', []],
    ['/post/1?include=', []],
    ['/post?include=', []],
  ])('IN-02: has an empty `included` at %s', async (path, included) => {
    const { document } = await suite.app.rest.get(path);
    expect(document.included).toEqual(included);
  });

  it('has no `included` without include', async () => {
    expect((await suite.app.rest.get('/post/1')).document).not.toHaveProperty('included');
  });

  it('IN-05: starts at the related resources at the related URL, and at the relationship’s name at the relationship URL', async () => {
    expect(includedIn(await suite.app.rest.get('/user/1/posts?include=tags&sort=id&page[limit]=1'))).toEqual(['tag 1', 'tag 2']);
    expect(includedIn(await suite.app.rest.get('/post/1/author?include=profile'))).toEqual(['profile 1']);
    const response = await suite.app.rest.get('/post/1/relationships/comments?include=comments.author');
    expect(response.document.data).toEqual([1, 11].map((id) => ({ type: 'comment', id })));
    expect([...includedIn(response)].sort()).toEqual(['comment 1', 'comment 11', 'user 1']);
    expect(includedIn(await suite.app.rest.get('/post/1/relationships/author?include=author'))).toEqual(['user 1']);
    expect((await suite.app.rest.get('/post/1/relationships/author?include=')).document.included).toEqual([]);
  });

  it.each([
    ['/post?include=autor', "invalid-include include: post has no relationship 'autor', at position 1. Did you mean 'author'?"],
    ['/post?include=author.profil', "invalid-include include: user has no relationship 'profil', at position 8. Did you mean 'profile'?"],
    ['/post?include=title', "invalid-include include: 'title' at position 1 is no relationship."],
    ['/post?include=constructor', "invalid-include include: post has no relationship 'constructor', at position 1."],
    ['/user?include=tokens', "invalid-include include: user has no relationship 'tokens', at position 1."],
    ['/post/1/relationships/author?include=profile', "invalid-include include: post has no relationship 'profile', at position 1."],
    ['/post/1/relationships/author?include=tags', "invalid-include include: 'tags' at position 1: paths start with 'author' here."],
    [
      `/user?include=${'posts.author.'.repeat(6)}profile`,
      'limit-exceeded include: An include path has at most 5 relationships (limits.maxIncludeDepth).',
    ],
  ])('IN-01, IN-04: rejects %s before any SQL', async (path, problem) => {
    expect(refusalOf(await suite.app.rest.get(path))).toEqual([400, problem]);
    expect(suite.database.statements.all).toEqual([]);
  });
});

describeReads('sparse fieldsets', {}, (suite) => {
  it('SF-01, SF-02: limit attributes and relationships, in data and included', async () => {
    const { one, included } = await suite.app.rest.get('/post/1?include=author&fields[post]=title,author&fields[user]=name');
    expect(one.attributes).toEqual({ title: 'Post 01' });
    expect(Object.keys(one.relationships)).toEqual(['author']);
    expect(included).toEqual([expect.objectContaining({ attributes: { name: 'Ada Lovelace' } })]);
    expect(included[0]).not.toHaveProperty('relationships');
  });

  it('SF-01: remove all fields if they are empty', async () => {
    expect((await suite.app.rest.get('/tag/1?fields[tag]=')).one).toEqual({ type: 'tag', id: 1, links: { self: `${ENDPOINT}/tag/1` } });
  });

  it('limit the selected columns of the SQL', async () => {
    await suite.app.rest.get('/post?fields[post]=title&page[limit]=2');
    expect(suite.database.statements.queries[0]).not.toMatch(/content|metadata|authorId/);
  });

  it('SF-03: apply at the URLs of a relationship', async () => {
    const { many } = await suite.app.rest.get('/user/1/posts?fields[post]=title');
    expect(many[0]?.attributes).toEqual({ title: 'Post 01' });
  });

  it.each([
    ['fields[post]=titel', "invalid-fields fields[post]: post has no field 'titel', at position 1. Did you mean 'title'?"],
    ['fields[pots]=title', "invalid-fields fields[pots]: There is no resource type 'pots'. Did you mean 'post'?"],
    ['fields[user]=passwordHash', "invalid-fields fields[user]: user has no field 'passwordHash', at position 1."],
    ['fields[user]=tokens', "invalid-fields fields[user]: user has no field 'tokens', at position 1."],
    ['fields[apiToken]=secret', "invalid-fields fields[apiToken]: There is no resource type 'apiToken'."],
  ])('SF-03: reject %s', async (search, problem) => {
    expect(refusalOf(await suite.app.rest.get(`/post?${search}`))).toEqual([400, problem]);
  });
});
