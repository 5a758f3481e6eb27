import { onDatabases, listsIn } from '../../support/databases/this-database.js';
import { itByPrisma, writeOfOne } from '../../support/sql-reads.js';
import { comment, describeWrites, refusalOf, tag, user } from './write-suite.js';

const POST = { type: 'post', attributes: { title: 'New', authorId: 1 } };

describeWrites('creating a resource', {}, (suite) => {
  it('CR-06, CR-07, CR-08: answers 201 with the resource, and its own link as Location', async () => {
    const response = await suite.app.rest.post('/post', { data: POST });
    expect(response.status).toBe(201);
    expect(response.one).toMatchObject({
      type: 'post',
      id: 13,
      attributes: { title: 'New', published: false, viewCount: 0, ...listsIn({ keywords: [] }), content: null, authorId: 1 },
      relationships: { author: { data: { type: 'user', id: 1 } }, category: { data: null } },
    });
    expect(response.headers['location']).toBe(response.one.links?.['self']);
    expect(response.headers['location']).toBe('http://api.test/api/rest/post/13');
    expect((await suite.app.rest.get('/post/13')).one).toEqual(response.one);
  });

  onDatabases('postgresql', 'sqlite').it('executes one statement if the record references no other', async () => {
    await suite.app.rest.post('/tag', { data: { type: 'tag', attributes: { name: 'x' } } });
    expect(suite.database.statements.queries).toEqual([expect.stringMatching(writeOfOne('INSERT INTO'))]);
  });

  it('attaches existing resources, and creates and changes none (specification, 4.1)', async () => {
    const relationships = {
      author: { data: user(2) },
      reviewer: { data: user('3') },
      category: { data: null },
      tags: { data: [tag(1), tag('5'), tag(1)] },
      comments: { data: [comment(1)] },
    };
    const before = await suite.database.prisma.tag.findMany();
    const { status, one } = await suite.app.rest.post('/post?include=tags,comments', {
      data: { type: 'post', attributes: { title: 'New' }, relationships },
    });
    expect(status).toBe(201);
    expect(one.relationships).toMatchObject({
      author: { data: { type: 'user', id: 2 } },
      reviewer: { data: { type: 'user', id: 3 } },
      category: { data: null },
      comments: { data: [{ type: 'comment', id: 1 }] },
    });
    expect(one.relationships['tags']?.data).toEqual([
      { type: 'tag', id: 1 },
      { type: 'tag', id: 5 },
    ]);
    expect(await suite.database.prisma.tag.findMany()).toEqual(before);
    expect(await suite.database.prisma.comment.findUnique({ where: { id: 1 } })).toMatchObject({ postId: 13, body: 'Comment 1' });
  });

  it('IN-05, SF-03: answers with the resources of include and the fields of fields', async () => {
    const response = await suite.app.rest.post('/post?include=author&fields[post]=title,author&fields[user]=name', { data: POST });
    expect(response.one.attributes).toEqual({ title: 'New' });
    expect(response.included).toMatchObject([{ type: 'user', id: 1, attributes: { name: 'Ada Lovelace' } }]);
    expect(response.document.links?.['self']).toContain('/post/13?include=author');
    expect(response.headers['location']).toBe('http://api.test/api/rest/post/13');
  });

  it.each([
    ['a collection parameter', '/post?sort=title', [400, 'unsupported-parameter sort']],
    ['an unknown include', '/post?include=writer', [400, 'invalid-include include']],
  ])('rejects %s before anything is written', async (_, path, refusal) => {
    expect(refusalOf(await suite.app.rest.post(path, { data: POST }))).toEqual(refusal);
    expect(suite.database.statements.all).toEqual([]);
  });

  it.each([
    ['CR-01: no type', { attributes: {} }, [400, 'invalid-payload /data']],
    [
      'CR-01: a relationship without data',
      { ...POST, relationships: { tags: {} } },
      [400, 'invalid-relation-data /data/relationships/tags'],
    ],
    ['CR-02: an id that the server makes', { ...POST, id: '99' }, [403, 'client-id-forbidden /data/id']],
    ['CR-04: another type', { ...POST, type: 'tag' }, [409, 'type-conflict /data/type']],
    [
      'a lid in linkage',
      { ...POST, relationships: { tags: { data: [{ type: 'tag', lid: 'a' }] } } },
      [400, 'invalid-relation-data /data/relationships/tags/data/0/lid'],
    ],
    [
      'a key beside its relationship (D6)',
      { ...POST, relationships: { author: { data: user(1) } } },
      [400, 'invalid-payload /data/attributes/authorId'],
    ],
    ['a missing attribute', { type: 'post', attributes: { authorId: 1 } }, [400, 'invalid-payload /data/attributes']],
    ['a missing relationship', { type: 'post', attributes: { title: 'New' } }, [400, 'invalid-payload /data']],
    ['a value of another type', { type: 'post', attributes: { title: 7, authorId: 1 } }, [400, 'invalid-value /data/attributes/title']],
    [
      'two things at once',
      { type: 'post', attributes: { titel: 7, authorId: 'x' } },
      [400, 'invalid-payload /data/attributes/titel', 'invalid-value /data/attributes/authorId', 'invalid-payload /data/attributes'],
    ],
  ])('rejects %s, before any SQL', async (_, data, refusal) => {
    expect(refusalOf(await suite.app.rest.post('/post', { data }))).toEqual(refusal);
    expect(suite.database.statements.all).toEqual([]);
  });

  it('CR-05: answers 404 with a pointer to each missing resource of linkage, and writes nothing', async () => {
    const relationships = { tags: { data: [tag(98), tag(1), tag(97)] } };
    const response = await suite.app.rest.post('/post', { data: { ...POST, relationships } });
    const at = '/data/relationships/tags/data';
    expect(refusalOf(response)).toEqual([404, `not-found ${at}/0`, `not-found ${at}/2`]);
    expect(suite.database.statements.writes).toEqual([]);
    expect(await suite.database.prisma.post.count()).toBe(12);
  });

  it('CR-03, CR-12: answers 409 to an existing id, pointing at it', async () => {
    const response = await suite.app.rest.post('/country', { data: { type: 'country', id: 'DE', attributes: { name: 'Germany' } } });
    expect(refusalOf(response)).toEqual([409, 'unique-conflict /data/id']);
    expect(response.errors[0]?.ormCode).toBe('P2002');
  });

  it('answers 409 to a duplicate unique attribute, pointing at it', async () => {
    const response = await suite.app.rest.post('/category', { data: { type: 'category', attributes: { slug: 'software', name: 'x' } } });
    expect(refusalOf(response)).toEqual([409, 'unique-conflict /data/attributes/slug']);
  });

  it('D6, D19: answers 404 to foreign keys of missing records, pointing at each, and writes nothing', async () => {
    const attributes = { title: 'New', authorId: 99, reviewerId: 98, categoryId: 1 };
    const response = await suite.app.rest.post('/post', { data: { type: 'post', attributes } });
    expect(refusalOf(response)).toEqual([404, 'not-found /data/attributes/authorId', 'not-found /data/attributes/reviewerId']);
    expect(response.errors[0]?.detail).toBe("There is no user that 'authorId' refers to.");
    expect(await suite.database.prisma.post.count()).toBe(12);
  });

  itByPrisma('reads the rows of each referenced type in one statement, for foreign keys and linkage together', async () => {
    const attributes = { title: 'New', authorId: 1, categoryId: 1 };
    await suite.app.rest.post('/post', { data: { type: 'post', attributes, relationships: { reviewer: { data: user(2) } } } });
    const beforeWriting = suite.database.statements.queries.slice(0, -suite.database.statements.writes.length);
    const lookups = beforeWriting.filter((text) => text.startsWith('SELECT') && !text.includes('Post'));
    expect(lookups).toEqual([expect.stringMatching(/FROM .*\bUser\b/), expect.stringMatching(/FROM .*\bCategory\b/)]);
  });

  it('answers the same 404 to an unknown type and to a hidden one', async () => {
    const hidden = await suite.app.rest.post('/apiToken', { data: { type: 'apiToken' } });
    expect(refusalOf(hidden)).toEqual([404, 'unsupported-model nowhere']);
    expect(refusalOf(await suite.app.rest.post('/constructor', { data: { type: 'constructor' } }))).toEqual([
      404,
      'unsupported-model nowhere',
    ]);
  });

  it('matches the type without regard to case, in the path and in the body (D10)', async () => {
    expect((await suite.app.rest.post('/POST', { data: { ...POST, type: 'Post' } })).status).toBe(201);
  });

  it('stores and returns JSON of any shape unchanged', async () => {
    const metadata = { 'constructor': 1, 'meta': { serialization: { values: {} } }, 'data': [null, { set: 1 }], 'with.dot': 'x' };
    const { one } = await suite.app.rest.post('/post', { data: { ...POST, attributes: { ...POST.attributes, metadata } } });
    expect(one.attributes['metadata']).toEqual(metadata);
  });
});
