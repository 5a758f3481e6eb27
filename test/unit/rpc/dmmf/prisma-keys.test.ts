import { describe, expect, it } from '@jest/globals';
import { startBudget } from '../../../../lib/rpc/arguments/argument-path.js';
import { DEFAULT_LIMITS, type Limits } from '../../../../lib/model/limits.js';
import type { Storage } from '../../../../lib/model/storage/storage.js';
import type { Attribute, Relationship, Resource } from '../../../../lib/model/surface/surface.js';
import { AGGREGATES } from '../../../../lib/prisma/aggregates.js';
import { nestedWritesOf } from '../../../../lib/rpc/arguments/nested-writes.js';
import { JSON_OPERATORS } from '../../../../lib/prisma/read-json-filter.js';
import { groupOperatorsOf } from '../../../../lib/prisma/read-having.js';
import type { Operators } from '../../../../lib/prisma/read-operators.js';
import { GROUP_LIST_OPERATORS, LIST_OPERATORS } from '../../../../lib/prisma/read-list-filter.js';
import { LIST_WRITES, NUMBER_WRITES, SCALAR_WRITES } from '../../../../lib/rpc/arguments/plan-new-value.js';
import { TO_MANY_ARGUMENTS, TO_ONE_ARGUMENTS } from '../../../../lib/rpc/arguments/plan-selection.js';
import { CONNECTIVES, ONE_OPERATORS, QUANTIFIERS } from '../../../../lib/prisma/words.js';
import { operatorsOf } from '../../../../lib/prisma/read-scalar-filter.js';
import { planDataCall } from '../../../../lib/rpc/plan-rpc-call.js';
import { findOperation, type KnownRpcOperation, RPC_OPERATIONS, type RpcOperation } from '../../../../lib/rpc/protocol/rpc-operations.js';
import { sample } from '../../../support/sample.js';
import { DATABASES, type Everything, everythingOn } from './everything.js';
import { type InputField, type Sample, Samples, type TypeRef } from './samples.js';

const LIMITS: Limits = { ...DEFAULT_LIMITS, maxDepth: 1000, maxFilterTerms: 100_000, maxJoins: 1000 };

/** The keys that Prisma lists and this API refuses, and why. */
/** Operations that Prisma lists for every type, and the database lacks for this one. */
const LACKED = /of which the database has no such aggregate|the database does not compare/;

const REFUSED = [
  // PostgreSQL, CockroachDB and SQLite have no min() and max() of JSON: the data layer fails on them with 500.
  /^having\.(?:required|optional)Json\.(?:not\.)?_(?:min|max)\b/,
  // Nor a text search of a UUID.
  /Uuid\.(?:not\.)?search\b/,
  // A text that is no JSONPath: MySQL refuses it, and MariaDB finds nothing.
  /Json\.(?:not\.)?path: String$/,
  // Prisma's query compiler panics at each of these: a filter on a list in a group, and anything beside the key in a cursor.
  /^having\..*\.(?:has|hasEvery|hasSome|isEmpty)\b/,
  // A foreign key needs a literal value, so that the referenced record can be checked.
  /\b(?:authorId|reviewerId|userId)\.(?:increment|decrement|multiply|divide)\b/,
  // Prisma sends values for a list of Bytes as base64, which no element equals.
  /\blistBytes(?:\.equals: Bytes\[\]|: BytesNullableListFilter)$/,
  /\bcursor\.(?!(?:id|email|userId|email_name|nameAndId)\b)/,
];

/** The arguments of the client's methods that Prisma does not describe as input types. */
const OUTSIDE_DMMF = new Set(['select', 'include', 'omit', ...AGGREGATES.keys()]);

describe.each(sample.oneIn(DATABASES.length, DATABASES))('the argument tables and Prisma on %s', (database) => {
  const everything = everythingOn(database);
  const samples = new Samples(everything.dmmf);
  const operations = operationsOf(everything);

  it('have the same operations', () => {
    const prisma = new Set(operations.map(({ operation }) => operation));
    // `count` is `aggregate` under another name.
    const ours = Object.values<RpcOperation>(RPC_OPERATIONS).filter(({ name }) => name !== 'count');
    const offered = ours.filter(({ lackedBy }) => !lackedBy?.includes(database)).map(({ name }) => name);
    expect([...prisma].sort()).toEqual(offered.sort());
  });

  it('take every argument that Prisma takes, down to the last key', () => {
    const refused: string[] = [];
    let count = 0;
    for (const { resource, operation, args } of operations) {
      for (const argument of samples.ofArguments(args)) {
        if (REFUSED.some((pattern) => pattern.test(argument.path))) continue;
        count++;
        const fault = faultOf(
          { resource, operation: operation as KnownRpcOperation['name'], args: complete(resource, operation, argument) },
          everything.model.storage,
        );
        if (fault !== undefined && !LACKED.test(fault)) refused.push(`${resource.delegate}.${operation} ${argument.path}: ${fault}`);
      }
    }
    expect(refused).toEqual([]);
    expect(count).toBeGreaterThan(1000);
  });

  it('name no argument of an operation that Prisma lacks', () => {
    for (const { operation, args } of operations) {
      const described = new Set([...args.map(({ name }) => name), 'relationLoadStrategy', 'skipDuplicates']);
      const ours = findOperation(operation)?.arguments.filter((name) => !OUTSIDE_DMMF.has(name) && !described.has(name));
      expect({ operation, strange: ours }).toEqual({ operation, strange: [] });
    }
  });

  it('refuse skipDuplicates exactly where Prisma lacks it', () => {
    const creates = operations.filter(({ operation }) => operation.startsWith('createMany'));
    for (const { resource, operation, args } of creates) {
      const call = { resource, operation: operation as KnownRpcOperation['name'], args: { data: [], skipDuplicates: true } };
      expect(faultOf(call, everything.model.storage) === undefined).toBe(args.some(({ name }) => name === 'skipDuplicates'));
    }
    expect(creates.length).toBeGreaterThan(0);
  });

  it('name the filters and connectives of relations as Prisma does', () => {
    for (const { resource, relationship } of relationshipsOf(everything)) {
      const filter = samples.input(`${resource.model}WhereInput`).fields.find(({ name }) => name === relationship.name);
      const operators = filter?.inputTypes.map(({ type }) => type).find((type) => type.endsWith('RelationFilter')) ?? '';
      expect(names(operators)).toEqual([...(relationship.many ? QUANTIFIERS : ONE_OPERATORS)].sort());
      expect(names(`${resource.model}WhereInput`)).toEqual([...resource.fields.keys(), ...CONNECTIVES].sort());
      expect(names(`${resource.model}WhereUniqueInput`)).toEqual(
        [...new Set([...resource.fields.keys(), ...CONNECTIVES, ...resource.uniqueKeys.keys()])].sort(),
      );
    }
  });

  it('name no filter operator that Prisma lacks', () => {
    for (const resource of everything.model.resources) {
      for (const attribute of resource.attributes) {
        const filter = keysOf(`${resource.model}WhereInput`, attribute.name);
        const having = keysOf(`${resource.model}ScalarWhereWithAggregatesInput`, attribute.name);
        const group = attribute.list ? GROUP_LIST_OPERATORS : groupOperatorsOf(attribute);
        expect({ attribute: attribute.name, strange: strangers(offered(filterOf(attribute)), filter) }).toEqual({
          attribute: attribute.name,
          strange: [],
        });
        expect({ attribute: attribute.name, strange: strangers(offered(group), having) }).toEqual({
          attribute: attribute.name,
          strange: [],
        });
      }
    }
  });

  // The other databases have fewer operations on values, and no additional ones.
  if (database === 'postgresql') {
    it('name the operations on values as Prisma does', () => {
      for (const resource of everything.model.resources) {
        for (const attribute of resource.attributes) {
          const writes = keysOf(`${resource.model}UncheckedUpdateInput`, attribute.name);
          expect({ attribute: attribute.name, writes }).toEqual({ attribute: attribute.name, writes: writesOf(attribute) });
        }
      }
    });
  }

  it('name the nested writes as Prisma does', () => {
    for (const { resource, relationship } of relationshipsOf(everything)) {
      for (const [mode, type] of [
        ['create', 'CreateInput'],
        ['update', 'UpdateInput'],
      ] as const) {
        const prisma = keysOf(`${resource.model}${type}`, relationship.name);
        expect({ relationship: relationship.name, mode, names: [...nestedWritesOf(relationship, mode).keys()].sort() }).toEqual({
          relationship: relationship.name,
          mode,
          names: prisma,
        });
      }
    }
  });

  it('name the arguments of selected relations as Prisma does', () => {
    const outputs = [...everything.dmmf.schema.outputObjectTypes.prisma, ...everything.dmmf.schema.outputObjectTypes.model];
    for (const { resource, relationship } of relationshipsOf(everything)) {
      const field = outputs.find(({ name }) => name === resource.model)?.fields.find(({ name }) => name === relationship.name);
      const ours = relationship.many ? TO_MANY_ARGUMENTS : relationship.optional ? TO_ONE_ARGUMENTS : new Map<string, unknown>();
      expect([...ours.keys()].sort()).toEqual(field?.args.map(({ name }) => name).sort());
    }
  });

  it('name the keys of an order as Prisma does', () => {
    for (const resource of everything.model.resources) {
      const groups = names(`${resource.model}OrderByWithAggregationInput`).filter((name) => name !== '_relevance');
      expect(groups).toEqual(
        [...resource.attributes.map(({ name }) => name), ...AGGREGATES.keys()]
          .filter((name) => groups.includes(name) || !name.startsWith('_'))
          .sort(),
      );
      for (const [name, aggregate] of AGGREGATES) {
        const type = `${resource.model}${name.charAt(1).toUpperCase()}${name.slice(2)}OrderByAggregateInput`;
        if (!groups.includes(name)) continue;
        expect({
          type,
          fields: resource.attributes
            .filter(aggregate.takes)
            .map((attribute) => attribute.name)
            .sort(),
        }).toEqual({ type, fields: names(type) });
      }
    }
  });

  function offered(operators: Operators): readonly string[] {
    return [...operators].flatMap(([name, { lackedBy }]) => (lackedBy?.has(database) ? [] : [name]));
  }

  function names(type: string): readonly string[] {
    return samples
      .input(type)
      .fields.map(({ name }) => name)
      .sort();
  }

  /** The keys of the object that a field of an input type takes. */
  function keysOf(type: string, name: string): readonly string[] {
    const field = samples.input(type).fields.find((candidate) => candidate.name === name);
    const isObject = ({ location }: TypeRef): boolean => location === 'inputObjectTypes';
    const object = field?.inputTypes.find((ref) => isObject(ref) && !ref.isList)?.type;
    return object === undefined ? [] : names(object);
  }
});

function strangers(ours: Iterable<string>, prisma: readonly string[]): readonly string[] {
  return [...ours].filter((name) => !prisma.includes(name));
}

function filterOf(attribute: Attribute): Operators {
  if (attribute.list) return LIST_OPERATORS;
  return attribute.type === 'Json' ? JSON_OPERATORS : operatorsOf(attribute);
}

function writesOf({ type, list }: Attribute): readonly string[] {
  if (list) return [...LIST_WRITES.keys()].sort();
  if (type === 'Json') return [];
  return [...(['Int', 'BigInt', 'Float', 'Decimal'].includes(type) ? NUMBER_WRITES : SCALAR_WRITES).keys()].sort();
}

function relationshipsOf({ model }: Everything): readonly { resource: Resource; relationship: Relationship }[] {
  return model.resources.flatMap((resource) => resource.relationships.map((relationship) => ({ resource, relationship })));
}

function faultOf(
  call: { resource: Resource; operation: KnownRpcOperation['name']; args: Record<string, unknown> },
  storage: Storage,
): string | undefined {
  try {
    planDataCall({ ...call, operation: RPC_OPERATIONS[call.operation] }, startBudget(LIMITS, storage));
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** Adds what this API requires and Prisma's description does not: a `where`. Adds an aggregate and the fields of a group, which the client requires. */
function complete(resource: Resource, operation: string, { path, args }: Sample): Record<string, unknown> {
  if (operation === 'aggregate') return { _count: true, ...args };
  if (operation === 'groupBy' && !path.startsWith('by:')) {
    const by = resource.attributes.map(({ name }) => name);
    // Prisma requires an order for a part of the groups, which its description does not have.
    const isPart = 'take' in args || 'skip' in args;
    return { ...args, by, ...(isPart && { orderBy: { [by[0] ?? '']: 'asc' } }) };
  }
  return findOperation(operation)?.required.some((name) => name === 'where') ? { where: {}, ...args } : args;
}

interface PrismaOperation {
  readonly resource: Resource;
  readonly operation: string;
  readonly args: readonly InputField[];
}

/** The operations of every model, by the names of the client's methods: Prisma's own names end in the model's. */
function operationsOf({ dmmf, model }: Everything): readonly PrismaOperation[] {
  const fields = new Map(
    dmmf.schema.outputObjectTypes.prisma.flatMap((type) => type.fields.map((field) => [field.name, field.args as readonly InputField[]])),
  );
  return dmmf.mappings.modelOperations.flatMap(({ model: name, ...methods }) => {
    const resource = model.byModel.get(name);
    if (resource === undefined) throw new Error(`There is no resource ${name}.`);
    return Object.entries(methods).flatMap(([method, field]) => {
      const args = typeof field === 'string' ? fields.get(field) : undefined;
      return args ? [{ resource, operation: method.replace(/One$/, ''), args }] : [];
    });
  });
}
