import { describeOperations, refusal } from './operations-suite.js';
import { tag, user } from './write-suite.js';

describeOperations('targets of atomic operations', (suite) => {
  it.each([
    'http://api.test/api/rest/post/1/relationships/tags',
    '/api/rest/post/1/relationships/tags',
    '/post/1/relationships/tags',
    '/%70ost/1/relationships/tags',
  ])('AO-21: may be %s', async (href) => {
    expect((await suite.send({ op: 'add', href, data: [tag(4)] })).status).toBe(204);
  });

  it.each([
    'http://evil.test/api/rest/post/1/relationships/tags',
    '//evil.test/post/1/relationships/tags',
    '/post/1/tags',
    '/post/1/relationships/tags?x=1',
    '/post/1/relationships/tags#x',
    'post/1',
    '/post/1/relationships/tags/',
    '/post/%E0%A4%A/relationships/tags',
    '',
    5,
  ])('AO-21: reject the href %s', async (href) => {
    expect(refusal(await suite.send({ op: 'add', href, data: [tag(4)] }))).toEqual([400, 'invalid-payload /atomic:operations/0/href']);
  });

  it('AO-11, AO-12, AO-13: may be the href of a collection to add to, of a resource to update or remove', async () => {
    const { status, results } = await suite.send(
      { op: 'add', href: '/tag', data: { type: 'tag', attributes: { name: 'x' } } },
      { op: 'update', href: '/tag/1', data: { type: 'tag', id: '1', attributes: { name: 'y' } } },
      { op: 'remove', href: '/tag/2' },
    );
    expect([status, results.length]).toEqual([200, 3]);
  });

  it('AO-19: may be a ref beside the resource to add, with equal type and id', async () => {
    const data = { type: 'country', id: 'se', attributes: { name: 'Sweden' } };
    expect((await suite.send({ op: 'add', ref: { type: 'country', id: 'se' }, data })).status).toBe(200);
    expect((await suite.send({ op: 'add', ref: { type: 'tag' }, data: { type: 'tag', attributes: { name: 'x' } } })).status).toBe(200);
    expect(refusal(await suite.send({ op: 'add', ref: { type: 'country', id: 'no' }, data }))).toEqual([
      409,
      'id-conflict /atomic:operations/0/ref',
    ]);
    expect(refusal(await suite.send({ op: 'add', ref: { type: 'tag', id: 'se' }, data }))).toEqual([
      409,
      'type-conflict /atomic:operations/0/ref',
    ]);
  });

  it('AO-20: may be one identifier to add to or remove from a to-many relationship, at which errors point', async () => {
    const ref = { type: 'post', id: '1', relationship: 'tags' };
    expect((await suite.send({ op: 'add', ref, data: tag(4) })).status).toBe(204);
    expect((await suite.send({ op: 'remove', ref, data: tag(4) })).status).toBe(204);
    expect(refusal(await suite.send({ op: 'add', ref, data: tag(99) }))).toEqual([404, 'not-found /atomic:operations/0/data']);
  });

  it.each<[string, object, readonly (number | string)[]]>([
    ['AO-09', { op: 'replace', data: { type: 'tag' } }, [400, 'invalid-payload /atomic:operations/0/op']],
    ['AO-09', { data: { type: 'tag' } }, [400, 'invalid-payload /atomic:operations/0']],
    ['AO-09', { op: 'remove', ref: { type: 'tag', id: '1' }, href: '/tag/1' }, [400, 'invalid-payload /atomic:operations/0']],
    ['AO-10', { op: 'remove', ref: { type: 'tag', id: '1', lid: 'a' } }, [400, 'invalid-payload /atomic:operations/0/ref/lid']],
    ['AO-10', { op: 'remove', ref: { type: 'tag' } }, [400, 'invalid-payload /atomic:operations/0/ref']],
    ['AO-10', { op: 'remove', ref: { id: '1' } }, [400, 'invalid-payload /atomic:operations/0/ref']],
    ['AO-10', { op: 'remove', ref: { type: 'tag', id: {} } }, [400, 'invalid-payload /atomic:operations/0/ref/id']],
    ['AO-10', { op: 'remove', ref: 'tag' }, [400, 'invalid-payload /atomic:operations/0/ref']],
    ['AO-13', { op: 'remove', data: { type: 'tag', id: '1' } }, [400, 'invalid-payload /atomic:operations/0']],
    ['AO-18', { op: 'update', data: { type: 'tag', attributes: {} } }, [400, 'invalid-payload /atomic:operations/0/data']],
    [
      'AO-18',
      { op: 'update', ref: { type: 'tag', id: '1' }, data: { type: 'post', id: '1' } },
      [409, 'type-conflict /atomic:operations/0/data/type'],
    ],
    [
      'AO-18',
      { op: 'update', ref: { type: 'tag', id: '1' }, data: { type: 'tag', id: '2' } },
      [409, 'id-conflict /atomic:operations/0/data/id'],
    ],
    [
      'AO-18',
      { op: 'update', ref: { type: 'tag', id: '1' }, data: { type: 'tag', lid: 'a' } },
      [409, 'id-conflict /atomic:operations/0/data/lid'],
    ],
    ['AO-18', { op: 'update', ref: { type: 'tag', id: '1' }, data: [] }, [400, 'invalid-payload /atomic:operations/0/data']],
    [
      'AO-18',
      { op: 'update', ref: { type: 'post', id: '1', relationship: 'tags' }, data: tag(1) },
      [400, 'invalid-relation-data /atomic:operations/0/data'],
    ],
    [
      'AO-18',
      { op: 'add', ref: { type: 'post', id: '1', relationship: 'author' }, data: [user(1)] },
      [403, 'forbidden /atomic:operations/0'],
    ],
    ['AO-39', { op: 'add', data: { type: 'pots' } }, [404, 'unsupported-model /atomic:operations/0/data/type']],
    ['AO-39', { op: 'remove', ref: { type: 'apiToken', id: '1' } }, [404, 'unsupported-model /atomic:operations/0/ref/type']],
    ['AO-39', { op: 'remove', ref: { type: 'tag', id: 'x' } }, [400, 'invalid-id /atomic:operations/0/ref/id']],
    [
      'AO-39',
      { op: 'add', ref: { type: 'post', id: '1', relationship: 'tagz' }, data: [] },
      [404, 'unsupported-relationship /atomic:operations/0/ref/relationship'],
    ],
    ['AO-39', { op: 'remove', ref: { type: 'tag', id: '99' } }, [404, 'not-found /atomic:operations/0']],
    [
      'AO-39',
      { op: 'add', data: { type: 'country', id: 'DE', attributes: { name: 'Germany' } } },
      [409, 'unique-conflict /atomic:operations/0/data/id'],
    ],
    [
      'AO-39',
      { op: 'add', data: { type: 'tag', id: '7', attributes: { name: 'x' } } },
      [403, 'client-id-forbidden /atomic:operations/0/data/id'],
    ],
  ])('%s: %j', async (_, operation, expected) => {
    expect(refusal(await suite.send(operation))).toEqual(expected);
    expect(await suite.database.prisma.tag.count()).toBe(5);
  });
});
