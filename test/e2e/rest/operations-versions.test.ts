import { defineRules } from '../../../lib/index.js';
import type { TestDatabase } from '../../support/database.js';
import type { TestApp } from '../../support/test-app.js';
import { operationsOf, type OperationsAnswer, refusal, sendOperations } from './operations-suite.js';
import { describeVersions, VERSIONS } from './versions-suite.js';
import { tag } from './write-suite.js';

const OPERATIONS = { rest: { operations: true } } as const;
const AT = '/atomic:operations';
const STALE_AT = (index: number): readonly unknown[] => [412, `precondition-failed ${AT}/${index}/meta/ifMatch`];

const rename = (title: string, ifMatch?: unknown, id: unknown = '1'): object => ({
  op: 'update',
  data: { type: 'post', id, attributes: { title } },
  ...(ifMatch !== undefined && { meta: { ifMatch } }),
});

describeVersions('operations', OPERATIONS, (suite) => {
  const { start, versionOf, titleOf } = suite;
  const send = (operations: readonly unknown[], headers = {}, app: TestApp = suite.app): Promise<OperationsAnswer> =>
    sendOperations(app, operationsOf(...operations), { headers });

  it('CC-31: compare meta.ifMatch with the version of the record', async () => {
    const version = await versionOf();
    const answer = await send([rename('First', `"${version}"`), rename('Second', `"${version + 1}.digest", "99"`)]);
    expect(answer.results.map(({ data }) => data?.meta)).toEqual([{ etag: `"${version + 1}"` }, { etag: `"${version + 2}"` }]);
    expect(await titleOf()).toBe('Second');
  });

  it.each<readonly [string, (ifMatch: string) => object]>([
    ['an update', (ifMatch) => rename('x', ifMatch)],
    ['a delete', (ifMatch) => ({ op: 'remove', ref: { type: 'post', id: '1' }, meta: { ifMatch } })],
    ['a to-one', (ifMatch) => ({ op: 'update', ref: { type: 'post', id: '1', relationship: 'reviewer' }, data: null, meta: { ifMatch } })],
    ['a to-many', (ifMatch) => ({ op: 'add', ref: { type: 'post', id: '1', relationship: 'tags' }, data: [tag(3)], meta: { ifMatch } })],
  ])('CC-31: answer 412 with a pointer to a stale version of %s, and roll back', async (_, operationOf) => {
    const version = await versionOf();
    const answer = await send([{ op: 'add', data: { type: 'tag', attributes: { name: 'fresh' } } }, operationOf(`"${version + 1}"`)]);
    expect(refusal(answer)).toEqual(STALE_AT(1));
    expect(await suite.database.prisma.tag.count({ where: { name: 'fresh' } })).toBe(0);
    expect(await versionOf()).toBe(version);
    expect((await send([operationOf(`"${version}"`)])).status).toBeLessThan(300);
  });

  it.each([
    ['no tag', 'VERSION', [400, `invalid-value ${AT}/0/meta/ifMatch`]],
    ['a number', 3, [400, `invalid-value ${AT}/0/meta/ifMatch`]],
    ['a list', ['"1"'], [400, `invalid-value ${AT}/0/meta/ifMatch`]],
    ['null', null, [400, `invalid-value ${AT}/0/meta/ifMatch`]],
    ['a weak tag', 'W/"VERSION"', STALE_AT(0)],
    ['another version', '"99"', STALE_AT(0)],
    ['any version', '*', [200]],
  ])('CC-31: %s', async (_, ifMatch, expected) => {
    const given = typeof ifMatch === 'string' ? ifMatch.replace('VERSION', String(await versionOf())) : ifMatch;
    expect(refusal(await send([rename('x', given)]))).toEqual(expected);
  });

  it('CC-05, CC-20, CC-31: answer 404 for a missing or unreadable row with any version', async () => {
    expect(refusal(await send([rename('x', '"1"', '999')]))).toEqual([404, `not-found ${AT}/0`]);
    const rules = defineRules<TestDatabase['prisma']>()({
      '*': true,
      'Post': { read: { id: { not: 1 } }, update: true, delete: true, create: true },
    });
    const ruled = await start({ ...OPERATIONS, resources: VERSIONS, rules });
    expect(refusal(await send([rename('x', `"${await versionOf()}"`)], {}, ruled))).toEqual([404, `not-found ${AT}/0`]);
    expect(refusal(await send([rename('x', '"99"', '2')], {}, ruled))).toEqual(STALE_AT(0));
  });

  it('CC-31: reject meta.ifMatch of a create, and the headers If-Match and If-None-Match', async () => {
    const add = { op: 'add', data: { type: 'tag', attributes: { name: 'x' } }, meta: { ifMatch: '"1"' } };
    expect(refusal(await send([add]))).toEqual([400, `invalid-payload ${AT}/0/meta/ifMatch`]);
    expect(refusal(await send([rename('x')], { 'If-Match': '"1"' }))).toEqual([400, 'unsupported-header If-Match']);
    expect(refusal(await send([rename('x')], { 'If-None-Match': '*' }))).toEqual([400, 'unsupported-header If-None-Match']);
  });

  it('CC-23, CC-31: execute an upsert with meta.ifMatch as an update', async () => {
    const { sku, stock } = await suite.database.prisma.product.findFirstOrThrow();
    const upsert = (of: string, ifMatch: string): object => ({
      op: 'add',
      data: { type: 'product', attributes: { sku: of, name: 'Upserted', price: '1' } },
      meta: { operation: 'upsert', matchFields: ['sku'], ifMatch },
    });
    expect(refusal(await send([upsert(sku, `"${stock + 1}"`)]))).toEqual(STALE_AT(0));
    expect(refusal(await send([upsert('NONE', '*')]))).toEqual(STALE_AT(0));
    expect((await send([upsert(sku, `"${stock}"`)])).status).toBe(200);
  });

  it('CC-21, CC-31: answer 428 without meta.ifMatch if concurrency is required, except for records of the same request', async () => {
    const strict = await start({ ...OPERATIONS, resources: { ...VERSIONS, Post: { version: 'viewCount', concurrency: 'required' } } });
    const version = await versionOf();
    expect(refusal(await send([rename('x')], {}, strict))).toEqual([428, `precondition-required ${AT}/0`]);
    expect(refusal(await send([rename('x', undefined, '999')], {}, strict))).toEqual([404, `not-found ${AT}/0`]);
    expect(await versionOf()).toBe(version);
    const made = { type: 'post', lid: 'p', attributes: { title: 'x' }, relationships: { author: { data: { type: 'user', id: '1' } } } };
    expect((await send([{ op: 'add', data: made }, rename('y', `"${version}"`)], {}, strict)).status).toBe(200);
  });

  it('CC-31: compare the version of a record that the request creates', async () => {
    const made = { type: 'post', lid: 'p', attributes: { title: 'x' }, relationships: { author: { data: { type: 'user', id: '1' } } } };
    const update = (ifMatch: string): object => ({
      op: 'update',
      data: { type: 'post', lid: 'p', attributes: { title: 'y' } },
      meta: { ifMatch },
    });
    expect(refusal(await send([{ op: 'add', data: made }, update('"5"')]))).toEqual(STALE_AT(1));
    expect((await send([{ op: 'add', data: made }, update('"0"')])).status).toBe(200);
  });

  it('CC-31: compare the version of a created record also if only its links are written', async () => {
    const author = { author: { data: { type: 'user', id: '1' } } };
    const made = { type: 'post', lid: 'p', attributes: { title: 'x' }, relationships: author };
    const relink = (ifMatch: string): object => ({
      op: 'update',
      data: { type: 'post', lid: 'p', relationships: { ...author, tags: { data: [{ type: 'tag', id: '1' }] } } },
      meta: { ifMatch },
    });
    expect(refusal(await send([{ op: 'add', data: made }, relink('"5"')]))).toEqual(STALE_AT(1));
    expect((await send([{ op: 'add', data: made }, relink('"0"')])).status).toBe(200);
  });

  describe('AO-36: Prefer: return=minimal', () => {
    const MINIMAL = { Prefer: 'return=minimal' };
    const country = { type: 'country', id: 'XX', attributes: { name: 'Nowhere' } };

    it('empties results of records that are stored as they were sent', async () => {
      const answer = await send(
        [
          { op: 'add', data: country },
          { op: 'update', data: { type: 'tag', id: '1', attributes: { name: 'renamed' } } },
          { op: 'add', data: { type: 'tag', attributes: { name: 'fresh' } } },
        ],
        MINIMAL,
      );
      expect(answer.results.map(({ data }) => data?.type)).toEqual([undefined, undefined, 'tag']);
      expect(answer.headers['preference-applied']).toBe('return=minimal');
    });

    it('answers 204 if all results are empty, and with the record if the server has changed other fields', async () => {
      const short = await send([{ op: 'update', data: { type: 'tag', id: '1', attributes: { name: 'renamed' } } }], MINIMAL);
      expect([short.status, short.text, short.headers['preference-applied']]).toEqual([204, '', 'return=minimal']);
      const full = await send([rename('x')], MINIMAL);
      expect([full.status, full.headers['preference-applied']]).toEqual([200, undefined]);
      expect(full.results[0]?.data?.attributes['title']).toBe('x');
    });
  });
});
