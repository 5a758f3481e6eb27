import fc from 'fast-check';
import { onDatabases } from '../../support/databases/this-database.js';
import { day } from '../../support/seed.js';

/** True, false, or null for SQL's unknown. */
export type Truth = boolean | null;

/** A condition on a row, and the value of it by SQL's logic. */
export interface Meant<Row> {
  readonly where: object;
  readonly valueOf: (row: Row) => Truth;
}

/** Rows of the base seed, with related rows. */
export interface UserRow {
  readonly id: number;
  readonly name: string;
  readonly recoveryCode: string | null;
  readonly posts: readonly PostRow[];
  readonly comments: readonly CommentRow[];
}

export interface PostRow {
  readonly id: number;
  readonly published: boolean;
  readonly title: string;
  readonly content: string | null;
  readonly publishedAt: Date | null;
  readonly keywords: readonly string[];
  readonly reviewerId: number | null;
  readonly author: UserRow;
  readonly reviewer: UserRow | null;
  readonly comments: readonly CommentRow[];
}

export interface CommentRow {
  readonly id: number;
  readonly authorId: number | null;
  readonly author: UserRow | null;
  readonly post: PostRow;
}

const allOf = (values: readonly Truth[]): Truth => (values.includes(false) ? false : values.includes(null) ? null : true);
const anyOf = (values: readonly Truth[]): Truth => (values.includes(true) ? true : values.includes(null) ? null : false);
const opposite = (value: Truth): Truth => (value === null ? null : !value);
const unlessNull = <Value>(value: Value | null, compare: (value: Value) => boolean): Truth => (value === null ? null : compare(value));

type Leaf<Row> = readonly [where: object, valueOf: (row: Row) => Truth];

/** Conditions without a column: each is true, or false, of every row. */
const CONSTANTS: readonly Leaf<unknown>[] = [
  [{ OR: [] }, () => false],
  [{ NOT: { OR: [] } }, () => true],
  [{ NOT: [{ OR: [] }] }, () => true],
  [{ NOT: { NOT: { OR: [] } } }, () => false],
  [{ AND: [{ OR: [] }] }, () => false],
  [{ AND: { NOT: { OR: [] } } }, () => true],
  [{ id: { in: [] } }, () => false],
  [{ id: { notIn: [] } }, () => true],
];

const POSTS: readonly Leaf<PostRow>[] = [
  [{ published: true }, ({ published }) => published],
  [{ id: { lte: 6 } }, ({ id }) => id <= 6],
  [{ id: { in: [] }, title: 'x' }, () => false],
  [{ reviewerId: 1 }, ({ reviewerId }) => unlessNull(reviewerId, (id) => id === 1)],
  [{ reviewerId: null }, ({ reviewerId }) => reviewerId === null],
  [{ reviewerId: { notIn: [] } }, () => true],
  [{ content: { not: { in: [] } } }, () => true],
  [{ content: { in: [] } }, () => false],
  [{ content: { not: { contains: 'post 1' } } }, ({ content }) => unlessNull(content, (text) => !text.includes('post 1'))],
  [{ publishedAt: { gt: day(5) } }, ({ publishedAt }) => unlessNull(publishedAt, (at) => at > day(5))],
  ...onDatabases('postgresql').rows<Leaf<PostRow>>([
    [{ keywords: { has: 'beta' } }, ({ keywords }) => keywords.includes('beta')],
    [{ keywords: { hasSome: [] } }, () => false],
    [{ keywords: { hasEvery: [] } }, () => true],
  ]),
];

const USERS: readonly Leaf<UserRow>[] = [
  [{ id: 1 }, ({ id }) => id === 1],
  [{ name: { contains: 'ra' } }, ({ name }) => name.includes('ra')],
];

const COMMENTS: readonly Leaf<CommentRow>[] = [
  [{ id: { gt: 10 } }, ({ id }) => id > 10],
  [{ authorId: null }, ({ authorId }) => authorId === null],
];

/** Random conditions on posts, with constants at every depth. */
export const postConditions: fc.Arbitrary<Meant<PostRow>> = fc.letrec<{
  post: Meant<PostRow>;
  user: Meant<UserRow>;
  comment: Meant<CommentRow>;
}>((tie) => ({
  post: conditions(
    POSTS,
    () => [
      ...one('author', (row: PostRow) => row.author, tie('user')),
      ...optionalOne('reviewer', (row: PostRow) => row.reviewer, tie('user')),
      ...many('comments', (row: PostRow) => row.comments, tie('comment')),
    ],
    tie('post'),
  ),
  user: conditions(USERS, () => many('posts', (row: UserRow) => row.posts, tie('post')), tie('user')),
  comment: conditions(
    COMMENTS,
    () => [
      ...one('post', (row: CommentRow) => row.post, tie('post')),
      ...optionalOne('author', (row: CommentRow) => row.author, tie('user')),
    ],
    tie('comment'),
  ),
})).post;

type Conditions<Row> = fc.Arbitrary<Meant<Row>>;

function conditions<Row>(
  leaves: readonly Leaf<Row>[],
  relations: () => readonly Conditions<Row>[],
  inner: Conditions<Row>,
): Conditions<Row> {
  const leaf = fc.constantFrom(...leaves, ...CONSTANTS).map(([where, valueOf]) => meant(where, valueOf));
  return fc.oneof({ maxDepth: 4, depthSize: 'small' }, leaf, ...groups(inner), ...relations());
}

function groups<Row>(inner: Conditions<Row>): readonly Conditions<Row>[] {
  const parts = fc.array(inner, { minLength: 1, maxLength: 3 });
  const values = (list: readonly Meant<Row>[], row: Row): readonly Truth[] => list.map(({ valueOf }) => valueOf(row));
  const wheres = (list: readonly Meant<Row>[]): readonly object[] => list.map(({ where }) => where);
  return [
    parts.map((list) => meant({ AND: wheres(list) }, (row: Row) => allOf(values(list, row)))),
    fc.array(inner, { maxLength: 3 }).map((list) => meant({ OR: wheres(list) }, (row: Row) => anyOf(values(list, row)))),
    parts.map((list) => meant({ NOT: wheres(list) }, (row: Row) => allOf(values(list, row).map(opposite)))),
    inner.map(({ where, valueOf }) => meant({ NOT: where }, (row: Row) => opposite(valueOf(row)))),
    inner.map(({ where, valueOf }) => meant({ AND: where }, valueOf)),
  ];
}

function one<Row, Related>(name: string, related: (row: Row) => Related | null, inner: Conditions<Related>): readonly Conditions<Row>[] {
  const isOf =
    ({ valueOf }: Meant<Related>) =>
    (row: Row): Truth => {
      const target = related(row);
      return target === null ? false : valueOf(target);
    };
  return [
    inner.map((condition) => meant({ [name]: { is: condition.where } }, isOf(condition))),
    inner.map((condition) => meant({ [name]: condition.where }, isOf(condition))),
    inner.map((condition) => meant({ [name]: { isNot: condition.where } }, (row: Row) => opposite(isOf(condition)(row)))),
  ];
}

function optionalOne<Row, Related>(
  name: string,
  related: (row: Row) => Related | null,
  inner: Conditions<Related>,
): readonly Conditions<Row>[] {
  return [
    ...one(name, related, inner),
    fc.constantFrom(
      meant({ [name]: null }, (row: Row) => related(row) === null),
      meant({ [name]: { isNot: null } }, (row: Row) => related(row) !== null),
      meant({ [name]: { is: {} } }, (row: Row) => related(row) !== null),
      meant({ [name]: { isNot: {} } }, (row: Row) => related(row) === null),
    ),
  ];
}

function many<Row, Related>(
  name: string,
  related: (row: Row) => readonly Related[],
  inner: Conditions<Related>,
): readonly Conditions<Row>[] {
  const quantified = (quantifier: string, { where }: Meant<Related>, valueOf: (row: Row) => Truth): Meant<Row> =>
    meant({ [name]: { [quantifier]: where } }, valueOf);
  return [
    inner.map((condition) => quantified('some', condition, (row) => related(row).some((each) => condition.valueOf(each) === true))),
    inner.map((condition) => quantified('none', condition, (row) => !related(row).some((each) => condition.valueOf(each) === true))),
    inner.map((condition) => quantified('every', condition, (row) => !related(row).some((each) => condition.valueOf(each) === false))),
    fc.constantFrom(
      meant({ [name]: { some: {} } }, (row: Row) => related(row).length > 0),
      meant({ [name]: { none: {} } }, (row: Row) => related(row).length === 0),
    ),
  ];
}

/** Returns a condition that is printed as its `where` in a counterexample. */
function meant<Row>(where: object, valueOf: (row: Row) => Truth): Meant<Row> {
  return { where, valueOf, [fc.toStringMethod]: () => JSON.stringify(where) } as Meant<Row>;
}
