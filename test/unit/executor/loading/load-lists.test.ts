import { describe, expect, it } from '@jest/globals';
import type { Executor } from '../../../../lib/executor/executor.js';
import { canLoadLists, loadLists, NOT_LOADED } from '../../../../lib/executor/loading/load-lists.js';
import type { AtMost } from '../../../../lib/executor/plan.js';
import { prismaExecutor } from '../../../../lib/executor/prisma-executor.js';
import { ApiError } from '../../../../lib/index.js';
import { fieldNamed } from '../../../../lib/query/fields.js';
import { sameRow } from '../../../../lib/query/key.js';
import { type FindMany, findMany, type FindUnique, type RowsRead } from '../../../../lib/query/read.js';
import type { Row } from '../../../../lib/query/result.js';
import type { ManyMember, Member } from '../../../../lib/query/selection.js';
import { many, one, select, stored } from '../library.js';

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
const COMMENTS: readonly Row[] = [
  { id: 7, postId: 1, spam: true },
  { id: 8, postId: 3, spam: false },
];
const BY_ID = [{ kind: 'field-term', path: [], field: fieldNamed(stored('Post'), 'id'), direction: 'asc' }] as const;

function posts(said: Partial<ManyMember> = {}): ManyMember {
  return many('Author.posts', ['title'], { order: BY_ID, ...said });
}

function authors(...members: readonly (string | Member)[]): FindMany {
  return findMany({ model: stored('Author'), selection: select('Author', members) });
}

const CALL = authors('name', posts());

function limitOf(rows: number): AtMost {
  return { kind: 'at-most', rows, problem: { code: 'limit-exceeded', detail: 'too many' } };
}

/** Returns rows with the selected fields, as Prisma does, and records the arguments of each call. */
function recorded(omitted: readonly string[] = []): { readonly executor: Executor; readonly calls: Row[] } {
  const calls: Row[] = [];
  const pick =
    (rows: readonly Row[]) =>
    (args: Row): Promise<readonly Row[]> => {
      calls.push(args);
      const names = Object.keys(args['select'] as object).filter((name) => !omitted.includes(name));
      const taken = rows.slice(0, (args['take'] as number | undefined) ?? Infinity);
      return Promise.resolve(taken.map((row) => Object.fromEntries(names.map((name) => [name, row[name]]))));
    };
  const client = { author: { findMany: pick(AUTHORS) }, post: { findMany: pick(POSTS) }, comment: { findMany: pick(COMMENTS) } };
  return { executor: prismaExecutor(client), calls };
}

describe('loading lists', () => {
  it('gives each owner the rows of its key, without fields that were not selected', async () => {
    const { executor } = recorded();
    expect(await loadLists(executor, CALL, limitOf(10))).toEqual([
      { name: 'Ann', posts: [{ title: 'a' }, { title: 'c' }] },
      { name: 'Bea', posts: [{ title: 'b' }] },
      { name: 'Cem', posts: [] },
    ]);
  });

  it('keeps the order of the selection', async () => {
    const { executor } = recorded();
    const [ann] = (await loadLists(executor, authors(posts(), 'name'), limitOf(10))) as readonly Row[];
    expect(Object.entries(ann ?? {})).toEqual([
      ['posts', [{ title: 'a' }, { title: 'c' }]],
      ['name', 'Ann'],
    ]);
  });

  it('finds the rows of a key of one field by its value, and lists in lists', async () => {
    const { executor, calls } = recorded();
    const comments = many('Post.comments', ['spam']);
    const read = findMany({ model: stored('Post'), selection: select('Post', ['title', comments]) });
    expect(await loadLists(executor, read, limitOf(10))).toEqual([
      { title: 'a', comments: [{ spam: true }] },
      { title: 'b', comments: [] },
      { title: 'c', comments: [{ spam: false }] },
    ]);
    expect(calls[1]).toMatchObject({ where: { postId: { in: [1, 2, 3] } } });
    const inner = authors('name', posts({ selection: select('Post', ['title', comments]) }));
    const [ann] = (await loadLists(executor, inner, limitOf(10))) as readonly Row[];
    expect(ann).toEqual({
      name: 'Ann',
      posts: [
        { title: 'a', comments: [{ spam: true }] },
        { title: 'c', comments: [{ spam: false }] },
      ],
    });
  });

  it('reads at most one row more than the limit, for all owners together', async () => {
    const { executor, calls } = recorded();
    await loadLists(executor, CALL, limitOf(3));
    expect(calls[1]).toEqual({
      orderBy: [{ id: 'asc' }],
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

  it('refuses more rows than the limit', async () => {
    const { executor } = recorded();
    const refused = await loadLists(executor, CALL, limitOf(2)).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ problems: [{ detail: 'too many' }] });
  });

  it.each([['id'], ['writer']])('returns NOT_LOADED where the client omits the key %s', async (name) => {
    const { executor } = recorded([name]);
    expect(await loadLists(executor, CALL, limitOf(10))).toBe(NOT_LOADED);
  });

  const AUTHOR = stored('Author');
  const unique = (list: ManyMember): FindUnique => ({
    kind: 'find-unique',
    model: AUTHOR,
    where: sameRow(AUTHOR, { region: 'eu', id: 1n }),
    selection: select('Author', [list]),
    isRequired: false,
  });
  const author = sameRow(AUTHOR, { region: 'eu', id: 1n }).keys;

  it.each<[what: string, able: boolean, read: RowsRead]>([
    ['all lists of several rows', true, CALL],
    ['a list that is cut where it is over the limit anyway', true, authors(posts({ page: { take: 11 } }))],
    ['a page of one record', true, unique(posts({ page: { take: 3, skip: 2 } }))],
    ['a page of several records', false, authors(posts({ page: { take: 3 } }))],
    ['a page from the end', false, unique(posts({ page: { take: -3 } }))],
    ['a page after a cursor', false, unique(posts({ page: { cursor: author } }))],
    ['distinct rows of a list', false, authors(posts({ page: { distinct: [fieldNamed(stored('Post'), 'title')] } }))],
    ['distinct owners', false, { ...CALL, page: { distinct: [fieldNamed(AUTHOR, 'name')] } }],
    [
      'a list below a list with a page',
      false,
      authors(posts({ selection: select('Post', [many('Post.comments', ['id'], { page: { take: 1 } })]) })),
    ],
    ['a list below a row', false, findMany({ model: stored('Post'), selection: select('Post', [one('Post.author', [posts()])]) })],
    [
      'a list without a key in its rows',
      false,
      findMany({ model: stored('Post'), selection: select('Post', [many('Post.tags', ['id'])]) }),
    ],
  ])('is possible for %s: %s', (_, able, read) => {
    expect(canLoadLists(read, limitOf(10))).toBe(able);
  });
});
