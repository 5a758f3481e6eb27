import { describe, expect, it } from '@jest/globals';
import { canLoadLists, loadLists, NOT_LOADED } from '../../../lib/data-client/load-lists.js';
import type { AtMost, DataCall, RelatedRelation } from '../../../lib/data-client/plan.js';
import { ApiError } from '../../../lib/index.js';

type Row = Readonly<Record<string, unknown>>;

/** Posts of authors with a key of two parts. */
const POSTS: readonly Row[] = [
  { id: 1, region: 'eu', writer: 1n, title: 'a' },
  { id: 2, region: 'us', writer: 1n, title: 'b' },
  { id: 3, region: 'eu', writer: 1n, title: 'c' },
];
const AUTHORS: readonly Row[] = [
  { name: 'Ann', region: 'eu', id: 1n },
  { name: 'Bea', region: 'us', id: 1n },
  { name: 'Cem', region: null, id: 2n },
];
const RELATION: RelatedRelation = {
  name: 'posts',
  many: true,
  args: { orderBy: { id: 'asc' } },
  owner: { delegate: 'author', key: ['region', 'id'] },
  target: { delegate: 'post', key: ['id'] },
  foreignKey: { fields: ['region', 'writer'], references: ['region', 'id'] },
  opposite: 'author',
  relations: [],
};
const CALL: DataCall = {
  delegate: 'author',
  operation: 'findMany',
  args: { select: { name: true, posts: { select: { title: true }, orderBy: { id: 'asc' } } } },
};

function limitOf(rows: number, relation: Partial<RelatedRelation> = {}): AtMost {
  return { kind: 'at-most', rows, relations: [{ ...RELATION, ...relation }], problem: { code: 'limit-exceeded', detail: 'too many' } };
}

/** Answers by the fields that are selected, as Prisma does, and notes what it was asked. */
function recorded(omitted: readonly string[] = []): { readonly client: object; readonly calls: Row[] } {
  const calls: Row[] = [];
  const pick =
    (rows: readonly Row[]) =>
    (args: Row): Promise<readonly Row[]> => {
      calls.push(args);
      const names = Object.keys((args['select'] as object | undefined) ?? rows[0] ?? {}).filter((name) => !omitted.includes(name));
      const taken = rows.slice(0, (args['take'] as number | undefined) ?? Infinity);
      return Promise.resolve(taken.map((row) => Object.fromEntries(names.map((name) => [name, row[name]]))));
    };
  return { client: { author: { findMany: pick(AUTHORS) }, post: { findMany: pick(POSTS) } }, calls };
}

describe('loading lists', () => {
  it('gives each owner the rows of its key, and no field that was not asked for', async () => {
    const { client } = recorded();
    expect(await loadLists(client, CALL, limitOf(10))).toEqual([
      { name: 'Ann', posts: [{ title: 'a' }, { title: 'c' }] },
      { name: 'Bea', posts: [{ title: 'b' }] },
      { name: 'Cem', posts: [] },
    ]);
  });

  it('keeps the order of the selection, without the fields that it leaves out', async () => {
    const { client } = recorded();
    const select = { posts: { select: { title: true } }, region: false, name: true };
    const [ann] = (await loadLists(client, { ...CALL, args: { select } }, limitOf(10))) as readonly Row[];
    expect(Object.entries(ann ?? {})).toEqual([
      ['posts', [{ title: 'a' }, { title: 'c' }]],
      ['name', 'Ann'],
    ]);
  });

  it('finds the rows of a key of one field by its value', async () => {
    const foreignKey = { fields: ['writer'], references: ['id'] };
    const { client, calls } = recorded();
    expect(await loadLists(client, CALL, limitOf(10, { foreignKey }))).toMatchObject([
      { name: 'Ann', posts: { length: 3 } },
      { name: 'Bea', posts: { length: 3 } },
      { name: 'Cem', posts: [] },
    ]);
    expect(calls[1]).toMatchObject({ where: { writer: { in: [1n, 2n] } } });
  });

  it('reads no more rows than one over the limit, whoever their owners are', async () => {
    const { client, calls } = recorded();
    await loadLists(client, CALL, limitOf(3));
    expect(calls[1]).toEqual({
      orderBy: { id: 'asc' },
      select: { title: true, region: true, writer: true },
      where: {
        OR: [
          { region: 'eu', writer: 1n },
          { region: 'us', writer: 1n },
        ],
      },
      take: 4,
    });
  });

  it('refuses what is over the limit', async () => {
    const { client } = recorded();
    const refused = await loadLists(client, CALL, limitOf(2)).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ problems: [{ detail: 'too many' }] });
  });

  it.each([['id'], ['writer']])('says so where the client keeps the key %s back', async (name) => {
    const { client } = recorded([name]);
    expect(await loadLists(client, CALL, limitOf(10))).toBe(NOT_LOADED);
  });

  it.each<[what: string, able: boolean, limit: AtMost, call?: Partial<DataCall>]>([
    ['all lists of several rows', true, limitOf(10)],
    ['a list that is cut where it is over the limit anyway', true, limitOf(10, { args: { take: 11 } })],
    ['a page of one record', true, limitOf(10, { args: { take: 3, skip: 2 } }), { operation: 'findUnique' }],
    ['a page of several records', false, limitOf(10, { args: { take: 3 } })],
    ['a page from the end', false, limitOf(10, { args: { take: -3 } }), { operation: 'findUnique' }],
    ['a page after a cursor', false, limitOf(10, { args: { cursor: { id: 1 } } }), { operation: 'findUnique' }],
    ['distinct rows of a list', false, limitOf(10, { args: { distinct: ['title'] } })],
    ['distinct owners', false, limitOf(10), { args: { ...CALL.args, distinct: ['name'] } }],
    ['a list below a list with a page', false, limitOf(10, { relations: [{ ...RELATION, args: { take: 1 } }] })],
    ['a list below a row', false, limitOf(10, { many: false, relations: [RELATION] })],
    ['what a write answers', false, limitOf(10), { operation: 'update' }],
  ])('is possible for %s: %s', (_, able, limit, call = {}) => {
    expect(canLoadLists({ ...CALL, ...call }, limit)).toBe(able);
  });

  it('is not possible without a key in the rows of the list', () => {
    const { name, many, args, owner, target, relations } = RELATION;
    expect(canLoadLists(CALL, { ...limitOf(10), relations: [{ name, many, args, owner, target, relations }] })).toBe(false);
  });
});
