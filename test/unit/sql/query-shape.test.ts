import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_LIMITS } from '../../../lib/model/limits.js';
import type { Read } from '../../../lib/query/read.js';
import { startBudget } from '../../../lib/rpc/arguments/argument-path.js';
import { findResource, requireOperation } from '../../../lib/rpc/parse-rpc-call.js';
import { planDataCall } from '../../../lib/rpc/plan-rpc-call.js';
import { QueryShape } from '../../../lib/sql/query-shape.js';
import { sample } from '../../support/sample.js';
import { modelOf } from '../rpc/model-of.js';

/** Names of fields that are made of names of relations, of other fields, and of the words of a shape. */
const FIELDS = [
  'name',
  'lastname',
  'firstname',
  'lastfirst',
  'firstlastname',
  'nullsname',
  'asc',
  'take',
  'many',
  'equals',
  'lastequals',
] as const;
const RELATIONS = ['last', 'first', 'nulls', 'lastnulls'] as const;

const { model } = modelOf(`
model Person {
  id Int @id
  ${FIELDS.map((name) => `${name} String?`).join('\n  ')}
  ${RELATIONS.map(
    (name) => `${name} Person? @relation("${name}", fields: [${name}Id], references: [id])
  ${name}Id Int?
  of${name} Person[] @relation("${name}")`,
  ).join('\n  ')}
}
`);

type Args = Record<string, unknown>;

const field = fc.constantFrom(...FIELDS);
const relation = fc.constantFrom(...RELATIONS);
const direction = fc.constantFrom('asc', 'desc');

const term: fc.Arbitrary<Args> = fc.oneof(
  fc.tuple(field, direction).map(([name, sort]) => ({ [name]: sort })),
  fc.tuple(field, direction, fc.constantFrom('first', 'last')).map(([name, sort, nulls]) => ({ [name]: { sort, nulls } })),
);
const order: fc.Arbitrary<Args> = fc
  .tuple(fc.array(relation, { maxLength: 2 }), term)
  .map(([path, last]) => path.reduceRight<Args>((deeper, name) => ({ [name]: deeper }), last));
/** Values are all the same, so that queries of one structure are equal. */
const leaf: fc.Arbitrary<Args> = fc
  .tuple(field, fc.constantFrom<unknown>('x', null, { not: 'x' }, { not: null }, { in: ['x'] }, { contains: 'x', mode: 'insensitive' }))
  .map(([name, operand]) => ({ [name]: operand }));
const { where } = fc.letrec<{ where: Args }>((tie) => ({
  where: fc.oneof(
    { maxDepth: 2 },
    leaf,
    fc.tuple(leaf, leaf).map(([one, other]) => ({ AND: [one, other] })),
    fc.tuple(fc.constantFrom('AND', 'OR'), fc.array(tie('where'), { minLength: 1, maxLength: 2 })).map(([name, all]) => ({ [name]: all })),
    tie('where').map((one) => ({ NOT: one })),
    fc.tuple(relation, fc.constantFrom('is', 'isNot'), tie('where')).map(([name, kind, one]) => ({ [name]: { [kind]: one } })),
    fc
      .tuple(relation, fc.constantFrom('some', 'every', 'none'), tie('where'))
      .map(([name, kind, one]) => ({ [`of${name}`]: { [kind]: one } })),
  ),
}));
const args: fc.Arbitrary<Args> = fc.record(
  {
    where,
    orderBy: fc.array(order, { minLength: 1, maxLength: 2 }),
    take: fc.constantFrom(1, 11),
    distinct: fc.uniqueArray(field, { minLength: 1, maxLength: 2 }),
    select: fc.uniqueArray(field, { minLength: 1, maxLength: 3 }).map((names) => Object.fromEntries(names.map((name) => [name, true]))),
  },
  { requiredKeys: [] },
);

function shapeOf(operation: string, given: Args): { readonly text: string; readonly query: Read } {
  const budget = startBudget({ ...DEFAULT_LIMITS }, model.storage);
  const call = { resource: findResource(model, 'person'), operation: requireOperation(operation), args: given };
  const query = planDataCall(call, budget).query as Read;
  return { text: new QueryShape().read(query, '').text, query };
}

/** Returns the nodes of a query, with models and fields replaced by their names. */
function structureOf(query: Read): string {
  return JSON.stringify(query, (key, value: unknown) => {
    if (key === 'model') return undefined;
    if (key === 'field' || key === 'relation') return Reflect.get(value as object, 'name') as unknown;
    return value;
  });
}

describe('the shape of a query', () => {
  /** Each part alone has few forms, so that two random ones often have the same shape. */
  const PARTS: readonly (readonly [string, fc.Arbitrary<Args>])[] = [
    ['sorts', order.map((orderBy) => ({ orderBy }))],
    ['conditions', leaf.map((one) => ({ where: one }))],
    [
      'conditions on related rows',
      fc.tuple(relation, fc.constantFrom('is', 'isNot'), leaf).map(([name, kind, one]) => ({ where: { [name]: { [kind]: one } } })),
    ],
    ['nested conditions', where.map((one) => ({ where: one }))],
    [
      'selections',
      fc
        .uniqueArray(field, { minLength: 1, maxLength: 2 })
        .map((names) => ({ select: Object.fromEntries(names.map((name) => [name, true])) })),
    ],
    [
      'pages',
      fc.record({ take: fc.constantFrom(1, 11), distinct: fc.uniqueArray(field, { minLength: 1, maxLength: 2 }) }, { requiredKeys: [] }),
    ],
    ['whole queries', args],
  ];

  it.each(PARTS)('is the same of two reads only if they are the same but for their values: %s', (_, part) => {
    const structures = new Map<string, string>();
    fc.assert(
      fc.property(fc.constantFrom('findMany', 'findFirst'), part, (operation, given) => {
        const { text, query } = shapeOf(operation, operation === 'findFirst' ? { ...given, take: 1 } : given);
        const structure = structureOf(query);
        expect(structures.get(text) ?? structure).toBe(structure);
        structures.set(text, structure);
      }),
      { numRuns: sample.choose(1000, 4000) },
    );
  });

  it('differs for a sort by a related field and one by a field of the model', () => {
    const texts = [{ name: 'asc' }, { lastname: 'asc' }, { last: { name: 'asc' } }, { name: { sort: 'asc', nulls: 'last' } }].map(
      (orderBy) => shapeOf('findMany', { orderBy }).text,
    );
    expect(new Set(texts).size).toBe(texts.length);
  });
});
