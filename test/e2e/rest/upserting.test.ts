import { onDatabases } from '../../support/databases/this-database.js';
import { writeOfOne } from '../../support/sql-reads.js';
import { describeWrites, refusalOf, tag } from './write-suite.js';

const NATIVE = expect.stringMatching(writeOfOne('INSERT .* ON CONFLICT '));

/** Returns the document of an upsert that matches by these fields. */
const upsert = (matchFields: readonly string[], data: object): object => ({ data, meta: { operation: 'upsert', matchFields } });
const category = (attributes: object, relationships: object = {}): object => ({ type: 'category', attributes, relationships });

describeWrites('upserting a resource', {}, (suite) => {
  onDatabases('postgresql', 'sqlite').it(
    'creates a missing record (201), and updates an existing one (200), in one write statement each',
    async () => {
      const created = await suite.app.rest.post('/category', upsert(['slug'], category({ slug: 'new', name: 'New' })));
      expect([created.status, created.one.id]).toEqual([201, 6]);
      expect(created.headers['location']).toBe('http://api.test/api/rest/category/6');
      const updated = await suite.app.rest.post('/category', upsert(['slug'], category({ slug: 'new', name: 'Newer' })));
      expect([updated.status, updated.one.id, updated.one.attributes['name']]).toEqual([200, 6, 'Newer']);
      expect(updated.headers).not.toHaveProperty('location');
      // In SQL, the lookup is part of the statement.
      const { queries } = suite.database.statements;
      expect(queries.filter((query) => !query.startsWith('SELECT '))).toEqual(Array(2).fill(NATIVE));
      expect(queries.length).toBeLessThanOrEqual(4);
      expect(await suite.database.prisma.category.count()).toBe(6);
    },
  );

  it('matches by a compound key, and by a client id', async () => {
    const warehouse = await suite.app.rest.post(
      '/warehouse',
      upsert(['countryCode', 'name'], { type: 'warehouse', attributes: { countryCode: 'CH', name: 'Basel' } }),
    );
    expect(warehouse.one.id).toBe('wh-basel');
    const country = await suite.app.rest.post('/country', {
      data: { type: 'country', id: 'CH', attributes: { name: 'Suisse' } },
      meta: { operation: 'upsert', matchFields: ['id'] },
    });
    expect(country.one).toMatchObject({ id: 'CH', attributes: { name: 'Suisse' } });
    expect(await suite.database.prisma.country.count()).toBe(3);
  });

  onDatabases('postgresql', 'sqlite').it('needs only the match fields, and is one native upsert', async () => {
    const body = upsert(['name'], { type: 'tag', attributes: { name: 'typescript' } });
    expect((await suite.app.rest.post('/tag', body)).one).toMatchObject({ id: 1, attributes: { name: 'typescript' } });
    const { queries } = suite.database.statements;
    expect(queries.filter((query) => !query.startsWith('SELECT '))).toEqual([NATIVE]);
    expect(queries.length).toBeLessThanOrEqual(2);
  });

  onDatabases('postgresql', 'sqlite').it('creates one record for many concurrent requests, and returns it to all', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const body = upsert(['name'], { type: 'tag', attributes: { name } });
      const answers = await Promise.all(Array.from({ length: 10 }, () => suite.app.rest.post('/tag', body)));
      expect(answers.map(({ status }) => status)).toContain(201);
      expect(answers.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
      expect(new Set(answers.map(({ one }) => one.id)).size).toBe(1);
    }
    expect(await suite.database.prisma.tag.count()).toBe(10);
  });

  it('attaches linkage in a create and replaces it in an update', async () => {
    const relationships = { posts: { data: [{ type: 'post', id: 1 }] } };
    const created = await suite.app.rest.post(
      '/category?include=posts',
      upsert(['slug'], category({ slug: 'new', name: 'x' }, relationships)),
    );
    expect(created.one.relationships['posts']?.data).toEqual([{ type: 'post', id: 1 }]);
    const replaced = { posts: { data: [{ type: 'post', id: 2 }] } };
    const updated = await suite.app.rest.post('/category?include=posts', upsert(['slug'], category({ slug: 'new', name: 'x' }, replaced)));
    expect(updated.one.relationships['posts']?.data).toEqual([{ type: 'post', id: 2 }]);
  });

  it.each([
    ['a key that is not unique', upsert(['name'], category({ slug: 'a', name: 'x' })), [400, 'invalid-payload /meta/matchFields']],
    ['half of a key', upsert(['slug', 'name'], category({ slug: 'a', name: 'x' })), [400, 'invalid-payload /meta/matchFields']],
    ['an unknown field', upsert(['slag'], category({ slug: 'a', name: 'x' })), [400, 'invalid-payload /meta/matchFields/0']],
    ['no fields', upsert([], category({ slug: 'a', name: 'x' })), [400, 'invalid-payload /meta/matchFields']],
    ['a key without a value', upsert(['slug'], category({ name: 'x' })), [400, 'invalid-payload /data/attributes']],
    ['an operation that is none', { ...upsert([], category({})), meta: { operation: 'merge' } }, [400, 'invalid-payload /meta/operation']],
    [
      'an id that the server makes',
      upsert(['id'], category({ id: 1, slug: 'a', name: 'x' })),
      [403, 'client-id-forbidden /data/attributes/id'],
    ],
  ])('rejects %s, before any SQL', async (_, body, refusal) => {
    expect(refusalOf(await suite.app.rest.post('/category', body))).toEqual(refusal);
    expect(suite.database.statements.all).toEqual([]);
  });

  it('rejects a hidden unique field as a match field like an unknown one', async () => {
    const response = await suite.app.rest.post(
      '/user',
      upsert(['recoveryCode'], { type: 'user', attributes: { recoveryCode: 'ADA-RECOVERY' } }),
    );
    expect(response.status).toBe(400);
    expect(response.errors[0]?.detail).toBe("user has no attribute 'recoveryCode'.");
    expect(suite.database.statements.all).toEqual([]);
  });

  it('writes nothing if a resource of its linkage is missing', async () => {
    const body = upsert(['name'], {
      type: 'tag',
      attributes: { name: 'nest' },
      relationships: { posts: { data: [{ type: 'post', id: 99 }] } },
    });
    expect(refusalOf(await suite.app.rest.post('/tag', body))).toEqual([404, 'not-found /data/relationships/posts/data/0']);
    expect(suite.database.statements.writes).toEqual([]);
  });
});

describeWrites('upserting a resource that may not be updated', { resources: { Tag: { actions: ['read', 'create'] } } }, (suite) => {
  it('answers 403, before any SQL', async () => {
    expect(refusalOf(await suite.app.rest.post('/tag', upsert(['id'], { type: 'tag', attributes: { name: 'x' } })))).toEqual([
      403,
      'forbidden nowhere',
    ]);
    expect((await suite.app.rest.post('/tag', { data: { ...tag(undefined), attributes: { name: 'x' } } })).status).toBe(201);
  });
});
