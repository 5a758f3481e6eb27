import { operationsOf, describeOperations, refusal, sendOperations } from './operations-suite.js';
import { tag, user } from './write-suite.js';

const post = (more: object = {}) => ({
  type: 'post',
  attributes: { title: 'New' },
  relationships: { author: { data: user(1) } },
  ...more,
});

describeOperations('atomic operations', (suite) => {
  it('AO-08, AO-11, AO-12, AO-13, AO-14, AO-15, AO-16: answer with 200 and one result for each operation, in order', async () => {
    const answer = await suite.send(
      { op: 'add', data: { type: 'tag', attributes: { name: 'fresh' } } },
      { op: 'update', data: { type: 'tag', id: '1', attributes: { name: 'renamed' } } },
      { op: 'remove', ref: { type: 'comment', id: '1' } },
      { op: 'update', ref: { type: 'post', id: '1', relationship: 'reviewer' }, data: null },
      { op: 'update', ref: { type: 'post', id: '1', relationship: 'author' }, data: user(2) },
      { op: 'add', ref: { type: 'post', id: '1', relationship: 'tags' }, data: [tag(4)] },
      { op: 'remove', ref: { type: 'post', id: '1', relationship: 'tags' }, data: [tag(1)] },
      { op: 'update', ref: { type: 'post', id: '2', relationship: 'tags' }, data: [tag(5)] },
    );
    expect(answer.status).toBe(200);
    expect(answer.headers['location']).toBeUndefined();
    expect(answer.results.map(({ data }) => data?.attributes)).toEqual([
      { name: 'fresh' },
      { name: 'renamed' },
      ...Array.from({ length: 6 }, () => undefined),
    ]);
    expect(answer.results.slice(2)).toEqual([{}, {}, {}, {}, {}, {}]);
    expect(await suite.database.prisma.post.findUnique({ where: { id: 1 }, select: { authorId: true, reviewerId: true } })).toEqual({
      authorId: 2,
      reviewerId: null,
    });
    expect(await suite.database.prisma.comment.findUnique({ where: { id: 1 } })).toBeNull();
    const tags = await suite.database.prisma.post.findUnique({ where: { id: 2 }, select: { tags: { select: { id: true } } } });
    expect(tags?.tags).toEqual([{ id: 5 }]);
  });

  it('AO-28: run in one transaction', async () => {
    await suite.send(
      { op: 'add', data: { type: 'tag', attributes: { name: 'a' } } },
      { op: 'add', data: { type: 'tag', attributes: { name: 'b' } } },
    );
    expect(suite.database.statements.transactionControl.map((sql) => sql.toUpperCase())).toEqual(['BEGIN', 'COMMIT']);
  });

  it('AO-17: answer with 204 if all results are empty', async () => {
    const answer = await suite.send({ op: 'remove', ref: { type: 'comment', id: '1' } });
    expect([answer.status, answer.text]).toEqual([204, '']);
  });

  it('AO-34: return each resource as it was after its operation, and the types of dates in meta.serialization', async () => {
    const answer = await suite.send(
      { op: 'update', data: { type: 'post', id: '1', attributes: { title: 'first' } } },
      { op: 'update', data: { type: 'post', id: '1', attributes: { title: 'second' } } },
    );
    expect(answer.results.map(({ data }) => data?.attributes['title'])).toEqual(['first', 'second']);
    expect(JSON.parse(answer.text)).toMatchObject({
      jsonapi: { version: '1.1', ext: ['https://jsonapi.org/ext/atomic'] },
      meta: { serialization: { values: { 'atomic:results.1.data.attributes.createdAt': ['Date'] } } },
    });
  });

  it('AO-35: apply fields to results, and reject other parameters', async () => {
    const body = operationsOf({ op: 'update', data: { type: 'post', id: '1', attributes: { title: 'x' } } });
    const answer = await sendOperations(suite.app, body, { path: '/operations?fields[post]=title' });
    expect(answer.results).toEqual([{ data: { type: 'post', id: 1, attributes: { title: 'x' }, links: expect.anything() } }]);
    for (const name of ['include', 'sort', 'filter[id]', 'page[limit]']) {
      expect(refusal(await sendOperations(suite.app, body, { path: `/operations?${name}=1` }))).toEqual([
        400,
        `unsupported-parameter ${name}`,
      ]);
    }
  });

  it('upsert if meta of an operation says so', async () => {
    const operation = {
      op: 'add',
      data: { type: 'tag', attributes: { name: 'nest' } },
      meta: { operation: 'upsert', matchFields: ['name'] },
    };
    const { results } = await suite.send(operation);
    expect(results[0]?.data?.id).toBe(3);
  });

  it('read values by the serialization metadata of the request', async () => {
    const { status } = await sendOperations(suite.app, {
      ...operationsOf({ op: 'update', data: { type: 'post', id: '1', attributes: { publishedAt: '2026-03-01T00:00:00.000Z' } } }),
      meta: { serialization: { values: { 'atomic:operations.0.data.attributes.publishedAt': ['Date'] } } },
    });
    expect(status).toBe(200);
  });

  it('AO-28, AO-31: are all rolled back if one fails in the database, and the error points at it', async () => {
    const answer = await suite.send(
      { op: 'add', data: { type: 'tag', attributes: { name: 'fresh' } } },
      { op: 'add', data: { type: 'tag', attributes: { name: 'nest' } } },
      { op: 'add', data: { type: 'tag', attributes: { name: 'never' } } },
    );
    expect(refusal(answer)).toEqual([409, 'unique-conflict /atomic:operations/1/data/attributes/name']);
    expect(answer.results).toEqual([]);
    // No statement follows the failed one.
    expect(suite.database.statements.all.at(-1)).toMatch(/rollback/i);
    expect(suite.database.statements.all.at(-2)).toMatch(/insert/i);
    expect(await suite.database.prisma.tag.count()).toBe(5);
  });

  it('AO-29, AO-37, AO-38: are rejected before any SQL with all faults of all operations', async () => {
    const answer = await suite.send(
      { op: 'add', data: { type: 'tag', attributes: { nmae: 'x' } } },
      { op: 'fly' },
      { op: 'add', data: post({ attributes: { title: 5, viewCount: 'x' } }) },
    );
    expect(refusal(answer)).toEqual([
      400,
      'invalid-payload /atomic:operations/0/data/attributes/nmae',
      'invalid-payload /atomic:operations/0/data/attributes',
      'invalid-payload /atomic:operations/1/op',
      'invalid-value /atomic:operations/2/data/attributes/title',
      'invalid-value /atomic:operations/2/data/attributes/viewCount',
    ]);
    expect(suite.database.statements.all).toEqual([]);
  });

  it('AO-32: are limited in number, and in the sum of their linkage', async () => {
    const one = { op: 'add', data: { type: 'tag', attributes: { name: 'x' } } };
    expect(refusal(await suite.send(...Array.from({ length: 21 }, () => one)))).toEqual([400, 'limit-exceeded /atomic:operations']);
    const linking = {
      op: 'add',
      ref: { type: 'post', id: '1', relationship: 'tags' },
      data: Array.from({ length: 16 }, (_, id) => tag(id)),
    };
    expect(refusal(await suite.send(linking, linking))).toEqual([400, 'limit-exceeded /atomic:operations']);
    expect(suite.database.statements.all).toEqual([]);
  });
});
