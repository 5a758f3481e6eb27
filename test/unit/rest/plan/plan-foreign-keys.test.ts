import { describe, expect, it } from '@jest/globals';
import type { ResourceIntent } from '../../../../lib/rest/parse/write-intent.js';
import { planWrite } from '../../../../lib/rest/plan/plan-write.js';
import { create, patchWith, POST, update, user } from '../parse/parse-document-helpers.js';
import { printPlan, type PrintedCall } from '../../../support/print-plan.js';
import { writeContext } from '../write-fixture.js';

const SELECT = { id: true };

const context = writeContext();

function callsOf(intent: ResourceIntent): readonly PrintedCall[] {
  return printPlan(planWrite(intent, context.projections.keyOf(intent.resource).selection, context).plan).calls;
}

/** Returns the records that must exist, as `delegate key at pointer` lines. */
function looks(intent: ResourceIntent): string[] {
  return callsOf(intent).flatMap(({ delegate, expect: expectation }) => {
    if (expectation?.kind !== 'all-found') return [];
    return expectation.wanted.map(({ key, source }) => {
      const values = Object.entries(key).map(([name, value]) => `${name}=${String(value)}`);
      return `${delegate} ${values.join(' ')} at ${source && 'pointer' in source ? source.pointer : 'nowhere'}`;
    });
  });
}

describe('planWrite, foreign keys as attributes', () => {
  const at = '/data/attributes';

  it('checks that the referenced records exist, as for linkage (D6, D19)', () => {
    expect(callsOf(create({ data: POST }))).toEqual([
      {
        delegate: 'user',
        operation: 'findMany',
        args: { where: { id: { in: [1] } }, select: { id: true } },
        expect: {
          kind: 'all-found',
          wanted: [{ key: { id: 1 }, detail: "There is no user that 'authorId' refers to.", source: { pointer: `${at}/authorId` } }],
        },
      },
      { delegate: 'post', operation: 'create', args: { data: POST.attributes, select: SELECT } },
    ]);
  });

  it('checks the records of a type in one query, of linkage and keys together', () => {
    const relationships = { line: { data: { type: 'line', id: '5_6' } } };
    const calls = callsOf(create({ data: { type: 'refund', relationships } }, { type: 'refund' }));
    expect(calls).toHaveLength(2);
    const body = {
      data: { type: 'post', attributes: { authorId: 1 }, relationships: { category: { data: { type: 'category', id: 2 } } } },
    };
    expect(looks(update(body))).toEqual(['category id=2 at /data/relationships/category/data', `user id=1 at ${at}/authorId`]);
  });

  it('checks nothing where null clears a key', () => {
    expect(callsOf(update(patchWith({ categoryId: null })))).toMatchObject([{ operation: 'update', args: { data: { categoryId: null } } }]);
  });

  it('checks in an upsert the keys of the create and those of the update', () => {
    const intent = create({ data: POST, meta: { operation: 'upsert', matchFields: ['slug'] } });
    expect(looks(intent)).toEqual([`user id=1 at ${at}/authorId`]);
    if (intent.kind !== 'upsert') throw new Error('This is no upsert.');
    const [author] = intent.content.attributes.filter(({ attribute }) => attribute.name === 'authorId');
    const changes = { attributes: author ? [{ ...author, value: 2 }] : [], linkages: [] };
    expect(looks({ ...intent, changes })).toEqual([`user id=1 at ${at}/authorId`, `user id=2 at ${at}/authorId`]);
  });

  it('checks by the field that the key references, even where another field is the id', () => {
    const resources = { User: { externalId: 'email' } };
    expect(looks(update(patchWith({ authorId: 3 }), { resources }))).toEqual([`user id=3 at ${at}/authorId`]);
    const relationships = { author: { data: user('a@b.c') } };
    const comments = { data: { type: 'post', attributes: { slug: 'a', title: 'A' }, relationships } };
    expect(looks(create(comments, { resources }))).toEqual(['user email=a@b.c at /data/relationships/author/data']);
  });

  it('checks the record that a part of a compound id references', () => {
    expect(looks(create({ data: { type: 'line', id: '5_6' } }, { type: 'line' }))).toEqual(['order id=5 at /data/id']);
  });

  it.each([
    [{ orderId: 5, productId: 6 }, [`line orderId=5 productId=6 at ${at}/orderId`]],
    [{ productId: 6 }, [`line productId=6 at ${at}/productId`]],
    [{ orderId: 5, productId: null }, []],
    [{ orderId: null, productId: null }, []],
  ])('checks a key of several columns by those that are given: %j', (attributes, expected) => {
    expect(looks(update({ data: { type: 'refund', attributes } }, { type: 'refund' }))).toEqual(expected);
  });

  it.each([
    [{ tenantId: 1 }, []],
    [{ tenantId: 1, assigneeNumber: 2 }, [`member tenantId=1 number=2 at ${at}/assigneeNumber`]],
    [{ assigneeNumber: 2 }, [`member number=2 at ${at}/assigneeNumber`]],
  ])('checks nothing by a single column that several relationships share: %j', (attributes, expected) => {
    expect(looks(update({ data: { type: 'task', attributes } }, { type: 'task' }))).toEqual(expected);
  });
});
