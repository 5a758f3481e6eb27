import { describe, expect, it } from '@jest/globals';
import { parseResourceTarget } from '../../../../lib/rest/parse/parse-target.js';
import type { ResourceIntent } from '../../../../lib/rest/parse/write-intent.js';
import { planWrite } from '../../../../lib/rest/plan/plan-write.js';
import { printPlan, type PrintedCall } from '../../../support/print-plan.js';
import { create, linkWith, patchWith, POST, tag, update, type UpdateOptions, user } from '../parse/parse-document-helpers.js';
import { type FixtureOptions, problemsOf, writeContext } from '../write-fixture.js';

const SELECT = { id: true };

const context = writeContext();

function callsOf(intent: ResourceIntent): readonly PrintedCall[] {
  return printPlan(planWrite(intent, context.projections.keyOf(intent.resource).selection, context).plan).calls;
}

/** Returns the write of a plan that has no other call but, for an upsert, a query of the record itself. */
function onlyCall(intent: ResourceIntent): PrintedCall {
  const [call, ...others] = callsOf(intent).slice(intent.kind === 'upsert' ? 1 : 0);
  if (!call || others.length > 0) throw new Error(`There are ${others.length + 1} calls.`);
  return call;
}

const comment = (id: unknown): object => ({ type: 'comment', id });

function existence(delegate: string, wanted: readonly (readonly [id: number, pointer: string])[]): unknown {
  return {
    delegate,
    operation: 'findMany',
    args: { where: { id: { in: [...new Set(wanted.map(([id]) => id))] } }, select: { id: true } },
    expect: {
      kind: 'all-found',
      wanted: wanted.map(([id, pointer]) => ({ key: { id }, detail: `There is no ${delegate} with id ${id}.`, source: { pointer } })),
    },
  };
}

describe('planWrite, a resource', () => {
  it('creates in one call where nothing is referenced', () => {
    expect(onlyCall(create({ data: { type: 'tag', attributes: { name: 'a' } } }, { type: 'tag' }))).toEqual({
      delegate: 'tag',
      operation: 'create',
      args: { data: { name: 'a' }, select: SELECT },
    });
  });

  it('updates in one call, and nothing but what is given', () => {
    expect(onlyCall(update(patchWith({ title: 'B' })))).toEqual({
      delegate: 'post',
      operation: 'update',
      args: { where: { id: 7 }, data: { title: 'B' }, select: SELECT },
    });
  });

  it('updates a record with no data, which fails where the record does not exist', () => {
    expect(onlyCall(update({ data: { type: 'post' } })).args).toEqual({ where: { id: 7 }, data: {}, select: SELECT });
  });

  it('deletes', () => {
    const { resource, id } = parseResourceTarget('delete', { type: 'line', id: '1_2' }, context);
    const { plan } = planWrite({ kind: 'delete', resource, id }, context.projections.keyOf(resource).selection, context);
    expect(printPlan(plan).calls).toEqual([
      {
        delegate: 'line',
        operation: 'delete',
        args: { where: { orderId_productId: { orderId: 1n, productId: 2 } }, select: { orderId: true, productId: true } },
      },
    ]);
  });

  it('upserts after a query of the record, and creates but does not change the attributes that it matches by', () => {
    const data = { type: 'category', attributes: { slug: 'a', name: 'A' } };
    const intent = create({ data, meta: { operation: 'upsert', matchFields: ['slug'] } }, { type: 'category' });
    expect(callsOf(intent)[0]).toEqual({
      delegate: 'category',
      operation: 'findUnique',
      args: { where: { slug: 'a' }, select: { slug: true } },
    });
    expect(onlyCall(intent)).toEqual({
      delegate: 'category',
      operation: 'upsert',
      args: { where: { slug: 'a' }, create: { slug: 'a', name: 'A' }, update: { name: 'A' }, select: SELECT },
    });
  });

  describe('an upsert of nothing but the attributes that it matches by', () => {
    const upsert = (type: string, attributes: object, database: FixtureOptions['database'] = {}): unknown => {
      const body = { data: { type, attributes }, meta: { operation: 'upsert', matchFields: ['id'] } };
      return onlyCall(create(body, { type, database })).args['update'];
    };
    const member = { tenantId: 1, number: 2 };

    it.each(['postgresql', 'cockroachdb', 'sqlite'] as const)(
      'updates those to their values again, so that %s upserts in one statement',
      (provider) => {
        expect(upsert('member', member, { provider })).toEqual(member);
      },
    );

    it.each([{ provider: 'mysql' }, { provider: 'sqlserver' }, { provider: 'mongodb' }, { orm: 'zenstack' }] as const)(
      'updates nothing where the database cannot upsert in one statement: %j',
      (database) => {
        expect(upsert('member', member, database)).toEqual({});
      },
    );

    it('updates nothing of a text whose case variant may be stored', () => {
      expect(upsert('subscriber', { email: 'Ada@example.com' })).toEqual({});
    });
  });

  it('upserts by a compound key, replacing linkage in an update', () => {
    const attributes = { ...POST.attributes, year: 2024, edition: 1 };
    const relationships = { tags: { data: [tag(1)] }, comments: { data: [] }, category: { data: null } };
    const meta = { operation: 'upsert', matchFields: ['year', 'edition'] };
    const calls = callsOf(create({ data: { type: 'post', attributes, relationships }, meta }));
    expect(calls).toMatchObject([
      { delegate: 'tag', expect: { kind: 'all-found' } },
      { delegate: 'user', expect: { kind: 'all-found' } },
      {
        delegate: 'comment',
        args: { where: { post: { year: 2024, edition: 1 } } },
        expect: { kind: 'none-found', problem: { code: 'invalid-relation-data' } },
      },
      { operation: 'findUnique', args: { where: { year_edition: { year: 2024, edition: 1 } } } },
      { operation: 'upsert', args: { where: { year_edition: { year: 2024, edition: 1 } } } },
    ]);
    expect(calls[4]?.args).toMatchObject({
      create: { ...attributes, categoryId: null, tags: { connect: [{ id: 1 }] } },
      update: { ...POST.attributes, categoryId: null, tags: { set: [{ id: 1 }] } },
    });
    expect(calls[4]?.args['update']).not.toHaveProperty('year');
    expect(calls[4]?.args['update']).not.toHaveProperty('comments');
  });
});

describe('planWrite, linkage in a resource', () => {
  it('checks first that all linked records exist, in one query a type, each with its pointer (CR-05)', () => {
    const relationships = { author: { data: user(1) }, tags: { data: [tag(2), tag(3)] }, comments: { data: [comment(4)] } };
    const calls = callsOf(create({ data: { type: 'post', attributes: { slug: 'a', title: 'A' }, relationships } }));
    const at = '/data/relationships';
    expect(calls.slice(0, -1)).toEqual([
      existence('user', [[1, `${at}/author/data`]]),
      existence('tag', [
        [2, `${at}/tags/data/0`],
        [3, `${at}/tags/data/1`],
      ]),
      existence('comment', [[4, `${at}/comments/data/0`]]),
    ]);
    expect(calls.at(-1)?.args['data']).toEqual({
      slug: 'a',
      title: 'A',
      authorId: 1,
      tags: { connect: [{ id: 2 }, { id: 3 }] },
      comments: { connect: [{ id: 4 }] },
    });
  });

  it('clears and empties linkage without a query, where the unlinked records do not require it', () => {
    const relationships = { category: { data: null }, tags: { data: [] }, notes: { data: [] } };
    expect(onlyCall(update(linkWith(relationships))).args['data']).toEqual({ categoryId: null, tags: { set: [] }, notes: { set: [] } });
  });

  it('writes nothing for empty linkage in a create', () => {
    const relationships = { category: { data: null }, tags: { data: [] }, comments: { data: [] } };
    const [look, write] = callsOf(create({ data: { ...POST, relationships } }));
    expect(look?.delegate).toBe('user');
    expect(write?.args['data']).toEqual({ ...POST.attributes, categoryId: null });
  });

  it('replaces members that require the relationship only where none is unlinked', () => {
    const calls = callsOf(update(linkWith({ comments: { data: [comment(4)] } })));
    expect(calls.slice(1)).toEqual([
      {
        delegate: 'comment',
        operation: 'findMany',
        args: { where: { post: { id: 7 }, NOT: { id: { in: [4] } } }, select: { id: true }, take: 1 },
        expect: {
          kind: 'none-found',
          problem: {
            code: 'invalid-relation-data',
            detail: "A comment cannot be without its 'post', so none can be taken out of 'comments'.",
            source: { pointer: '/data/relationships/comments/data' },
          },
        },
      },
      { delegate: 'post', operation: 'update', args: { where: { id: 7 }, data: { comments: { connect: [{ id: 4 }] } }, select: SELECT } },
    ]);
  });

  it('links and clears a to-one relationship whose key is on the other side', () => {
    const patch = (data: unknown): readonly PrintedCall[] =>
      callsOf(update({ data: { type: 'user', relationships: { badge: { data } } } }, { type: 'user' }));
    expect(patch(null).at(-1)?.args['data']).toEqual({ badge: { disconnect: true } });
    expect(patch({ type: 'badge', id: 3 }).at(-1)?.args['data']).toEqual({ badge: { connect: { id: 3 } } });
  });

  it('clears a to-one relationship that its target requires only where there is no target', () => {
    const calls = callsOf(update({ data: { type: 'user', relationships: { profile: { data: null } } } }, { type: 'user' }));
    expect(calls).toMatchObject([
      { delegate: 'profile', args: { where: { user: { id: 7 } } }, expect: { kind: 'none-found' } },
      { delegate: 'user', operation: 'update', args: { data: {} } },
    ]);
  });

  it('refuses empty linkage, without a query, where the other side is hidden', () => {
    const resources = { Comment: { fields: { postId: 'hidden', post: 'hidden' } } } as const;
    expect(problemsOf(() => update(linkWith({ comments: { data: [] } }), { resources }))).toEqual([
      "invalid-payload '/data/relationships/comments'",
    ]);
  });
});

describe('planWrite, keys of several columns', () => {
  const refund = (relationships: unknown, more: object = {}): ResourceIntent =>
    update({ data: { type: 'refund', relationships, ...more } }, { type: 'refund' });

  it('writes each column', () => {
    const [look, write] = callsOf(refund({ line: { data: { type: 'line', id: '5_6' } } }));
    expect(look?.args).toEqual({
      where: { orderId: 5n, productId: 6 },
      select: { orderId: true, productId: true },
    });
    expect(write?.args['data']).toEqual({ orderId: 5n, productId: 6 });
  });

  it('clears the columns that can be null', () => {
    expect(onlyCall(refund({ line: { data: null } })).args['data']).toEqual({ orderId: null, productId: null });
  });

  it('takes a key that is also part of the id from either, and refuses two that differ', () => {
    const line = (order: number): unknown => ({
      data: { type: 'line', id: '5_6', relationships: { order: { data: { type: 'order', id: order } } } },
    });
    const calls = callsOf(create(line(5), { type: 'line' }));
    expect(calls.at(-1)?.args['data']).toEqual({ orderId: 5n, productId: 6 });
    expect(problemsOf(() => callsOf(create(line(4), { type: 'line' })))).toEqual([
      "invalid-relation-data '/data/relationships/order/data'",
    ]);
  });
});

describe('planWrite, an external id', () => {
  const resources = { User: { externalId: 'email' } };

  it('connects by it, since the key refers to another field', () => {
    const body = { data: { type: 'post', attributes: { slug: 'a', title: 'A' }, relationships: { author: { data: user('a@b.c') } } } };
    const calls = callsOf(create(body, { resources }));
    expect(calls[0]?.args).toEqual({ where: { email: { in: ['a@b.c'] } }, select: { email: true } });
    expect(calls[1]?.args['data']).toEqual({ slug: 'a', title: 'A', author: { connect: { email: 'a@b.c' } } });
  });

  it('connects the other keys as well: the data client takes columns or connections, never both', () => {
    const relationships = { author: { data: user('a@b.c') } };
    const write = (attributes: object): unknown =>
      callsOf(update({ data: { type: 'post', attributes, relationships } }, { resources })).at(-1)?.args['data'];
    const author = { connect: { email: 'a@b.c' } };
    expect(write({ categoryId: 3, title: 'B' })).toEqual({ title: 'B', author, category: { connect: { id: 3 } } });
    expect(write({ categoryId: null })).toEqual({ author, category: { disconnect: true } });
  });

  it('connects each of several keys that share a column', () => {
    const attributes = { tenantId: 1, assigneeNumber: 2, reviewerNumber: 3 };
    const body = { data: { type: 'task', attributes, relationships: { owner: { data: user('a@b.c') } } } };
    expect(callsOf(create(body, { type: 'task', resources })).at(-1)?.args['data']).toEqual({
      assignee: { connect: { tenantId_number: { tenantId: 1, number: 2 } } },
      reviewer: { connect: { tenantId_number: { tenantId: 1, number: 3 } } },
      owner: { connect: { email: 'a@b.c' } },
    });
  });

  it('addresses the record by it', () => {
    const options: UpdateOptions = { type: 'user', id: 'a@b.c', resources };
    expect(onlyCall(update({ data: { type: 'user', attributes: { role: 'AUTHOR' } } }, options)).args['where']).toEqual({ email: 'a@b.c' });
  });
});
