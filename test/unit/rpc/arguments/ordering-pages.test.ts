import { describe, expect, it } from '@jest/globals';
import { DEFAULT_LIMITS } from '../../../../lib/model/limits.js';
import { startBudget } from '../../../../lib/rpc/arguments/argument-path.js';
import { findResource, requireOperation } from '../../../../lib/rpc/parse-rpc-call.js';
import { planDataCall } from '../../../../lib/rpc/plan-rpc-call.js';
import { printCall } from '../../../support/print-plan.js';
import { modelOf } from '../model-of.js';
import { planned, refusal } from '../publisher.js';

const LONG = 'a_column_with_a_name_that_has_all_bytes_that_postgresql_allows_';

const { model } = modelOf(
  `
view Report {
  total  Int
  label  String
  data   Json
  labels String[]
  /// @api.hidden
  secret String
}

view Scan {
  data Json
}

model Line {
  orderId Int
  sku     String
  code    String  @unique
  text    String?
  ${LONG} Int

  @@id([orderId, sku])
}

model Place {
  a    Int
  b    Int
  text String?

  @@id([a, b])
}

model Doc {
  id   Int    @id
  xml  String @db.Xml
  json Json   @db.Json
}
`,
  { previewFeatures: ['views'] },
);

function planOf(
  name: string,
  args: Readonly<Record<string, unknown>>,
  operation = 'findMany',
  storage = model.storage,
): Readonly<Record<string, unknown>> {
  const call = { resource: findResource(model, name), operation: requireOperation(operation), args };
  const { select, ...others } = printCall(planDataCall(call, startBudget(DEFAULT_LIMITS, storage))).args;
  expect(select).toBeDefined();
  return others;
}

const asc = (...names: readonly string[]): readonly object[] => names.map((name) => ({ [name]: 'asc' }));
const take = DEFAULT_LIMITS.maxTake + 1;

describe('the order of a page', () => {
  it('is the key on ZenStack, whose pages have no order', () => {
    const planFor = (args: Readonly<Record<string, unknown>>) => planOf('line', args, 'findMany', { ...model.storage, orm: 'zenstack' });
    expect(planFor({ take: 1, skip: 1 })).toEqual({ orderBy: asc('code', 'orderId', 'sku'), take: 1, skip: 1 });
    expect(planFor({})).toEqual({ take });
  });

  it.each<[string, args: Readonly<Record<string, unknown>>, planned: Readonly<Record<string, unknown>>]>([
    // Rows with a key.
    ['line', {}, { take }],
    ['line', { take: 1 }, { take: 1 }],
    ['line', { orderBy: { text: 'asc' } }, { orderBy: asc('text'), take }],
    ['line', { orderBy: { text: 'asc' }, take: 1 }, { orderBy: asc('text', 'code', 'orderId', 'sku'), take: 1 }],
    ['line', { orderBy: { code: 'asc' }, skip: 1 }, { orderBy: asc('code', 'orderId', 'sku'), skip: 1, take }],
    ['place', { orderBy: { text: 'asc' }, skip: 1 }, { orderBy: asc('text', 'a', 'b'), skip: 1, take }],
    [
      'place',
      { orderBy: { text: 'asc' }, cursor: { a_b: { a: 1, b: 2 } } },
      { orderBy: asc('text', 'a', 'b'), cursor: { a_b: { a: 1, b: 2 } }, take },
    ],
    // Rows without a key.
    ['report', {}, { orderBy: asc('total', 'label'), take }],
    ['report', { orderBy: { label: 'asc' } }, { orderBy: asc('label'), take }],
    ['report', { orderBy: { label: 'asc' }, take: 1 }, { orderBy: asc('label', 'total'), take: 1 }],
    ['report', { distinct: 'label' }, { distinct: ['label'] }],
    ['scan', {}, {}],
  ])('of %s, %j', (name, args, expected) => {
    expect(planOf(name, args)).toEqual(expected);
  });

  it.each([{ take: 1 }, { skip: 1 }])('is required for rows without a key: %j', (page) => {
    expect(() => planOf('report', page)).toThrow(
      `orderBy is missing: the rows of Report have no key. Argument \`orderBy\` is required because argument \`${Object.keys(page).join()}\` was provided.`,
    );
  });
});

describe('the order by relevance', () => {
  const byRelevance = (relevance: object): Readonly<Record<string, unknown>> => ({ orderBy: { _relevance: relevance } });
  const usual = { fields: ['title'], search: 'a', sort: 'desc' };

  it('takes one field or several, also of a related model', () => {
    expect(planned('post.findMany', byRelevance({ ...usual, fields: 'title' }))).toMatchObject({ orderBy: [{ _relevance: usual }] });
    const ofAuthor = { author: { _relevance: { ...usual, fields: ['name', 'email'] } } };
    expect(planned('post.findMany', { orderBy: ofAuthor })).toMatchObject({ orderBy: [ofAuthor] });
  });

  it.each([
    [{ x: 1 }, 'Unknown argument orderBy._relevance.x.'],
    [{ serch: 1 }, "Unknown argument orderBy._relevance.serch. Did you mean 'search'?"],
    [{ fields: ['viewCount'] }, 'orderBy._relevance.fields.0 must be the name of a text field of Post.'],
    [{ fields: ['title', 7] }, 'orderBy._relevance.fields.1 must be the name of a text field of Post.'],
    [{ fields: ['ref'] }, 'orderBy._relevance.fields.0 must be no field of type String @db.Uuid, which has no full-text search.'],
    [{ search: 7 }, 'orderBy._relevance.search must be a string without NUL characters and lone surrogates.'],
    [{ sort: 'up' }, "orderBy._relevance.sort must be 'asc' or 'desc'."],
  ])('refuses %j', (wrong, problem) => {
    expect(refusal('post.findMany', byRelevance({ ...usual, ...wrong }))).toBe(`400 ${problem}`);
  });

  it('counts its fields as terms of a filter', () => {
    const fields = Array.from({ length: DEFAULT_LIMITS.maxFilterTerms + 1 }, () => 'title');
    expect(refusal('post.findMany', byRelevance({ ...usual, fields }))).toContain('limits.maxFilterTerms');
  });
});

describe('take of findFirst', () => {
  it('is 1 or -1', () => {
    expect(planned('user.findFirst', { take: 1 })).toMatchObject({ take: 1 });
    expect(planned('user.findFirst', { take: -1 })).toMatchObject({ take: -1 });
    expect(refusal('user.findFirst', { take: 2 })).toBe('400 take must be 1, or -1 for the last record: the operation returns one.');
    expect(refusal('user.findFirst', { take: 2 ** 31 })).toMatch(/^400 take must be an integer between -\d+ and \d+\.$/);
  });
});

describe('distinct', () => {
  it.each([
    ['xml', 'distinct.xml has the type String @db.Xml, which has no equality.'],
    [['id', 'json'], 'distinct.1.json has the type Json @db.Json, which has no equality.'],
  ])('refuses %j', (distinct, problem) => {
    expect(() => planOf('doc', { distinct })).toThrow(problem);
  });
});

describe('an aggregate of a field with a long column name', () => {
  const tooLong = (place: string, most: number): string =>
    `${place} cannot be aggregated: Prisma needs a column name of ${most} bytes at most.`;
  const named = LONG.slice(0, 99);

  it.each([
    ['aggregate', { _min: { [LONG]: true } }, '_min', 58],
    ['aggregate', { _count: { [LONG]: true } }, '_count', 56],
    ['count', { select: { [LONG]: true } }, 'select', 56],
  ])('is refused by %s, %j', (operation, args, place, most) => {
    expect(() => planOf('line', args, operation)).toThrow(new RegExp(`^${tooLong(`${place}\\.${named.slice(0, 40)}[a-z_…]*`, most)}$`));
  });
});

describe('_count', () => {
  it.each([
    [{ select: {} }, 'select._count.select must name at least one relation to count.'],
    [{ select: { posts: false } }, 'select._count.select must name at least one relation to count.'],
    [{ selekt: {} }, "Unknown argument select._count.selekt. Did you mean 'select'?"],
  ])('refuses %j', (count, problem) => {
    expect(refusal('user.findMany', { select: { _count: count } })).toBe(`400 ${problem}`);
  });

  it('does not exist for a model without lists of related records', () => {
    expect(() => planOf('doc', { select: { _count: true } })).toThrow('Unknown argument select._count.');
  });
});
