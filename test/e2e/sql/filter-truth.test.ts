import { Pool } from 'pg';
import { type RulesOption, withSql } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { sample } from '../../support/sample.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import {
  LIST_OPERATORS,
  listOf,
  opposite,
  optionalOf,
  SCALAR_OPERATORS,
  SPECIMENS,
  type SpecimenRow,
  textOf,
  type Truth,
  VALUE_TYPES,
  type ValueType,
  writeSpecimens,
} from './specimen-rows.js';

/** A filter, and the value of it for a row by SQL's logic. */
interface Case {
  readonly where: object;
  readonly valueOf: (row: SpecimenRow) => Truth;
}

/** The rule of the running request. */
const current: { rule: Readonly<Record<string, unknown>> } = { rule: {} };

const RULES: RulesOption = { 'Specimen': { '*': () => current.rule }, '*': false };

describe('filters on a field of every type, by Prisma and by SQL', () => {
  let database: TestDatabase;
  let pool: Pool | undefined;
  let apps: readonly (readonly [name: string, app: TestApp])[] = [];

  beforeAll(async () => {
    database = await openTestDatabase();
    const { prisma, connectionString } = database;
    pool = connectionString === undefined ? undefined : new Pool({ connectionString, max: 2 });
    const clients = { Prisma: prisma, SQL: withSql(prisma, pool ? { pool } : {}) };
    const variants = Object.entries(clients).flatMap(([name, client]) => [
      [name, { getClient: () => client }] as const,
      [`${name}, as a rule`, { getClient: () => client, rules: RULES }] as const,
    ]);
    apps = await Promise.all(
      variants.map(async ([name, options]) => [name, await startTestApp({ platform: 'fastify', options })] as const),
    );
    await writeSpecimens(prisma);
  }, 60_000);
  afterAll(async () => {
    for (const [, app] of apps) await app.close();
    await pool?.end();
    await database.close();
  });

  const expectRows = async (cases: readonly Case[], those: typeof apps): Promise<void> => {
    const both = cases.flatMap(({ where, valueOf }): Case[] => [
      { where, valueOf },
      { where: { NOT: where }, valueOf: (row) => opposite(valueOf(row)) },
    ]);
    for (const { where, valueOf } of sample.oneIn(15, both)) {
      const expected = SPECIMENS.filter((row) => valueOf(row) === true).map(({ id }) => id);
      for (const [name, app] of those) {
        current.rule = { ...where };
        const filter = name.endsWith('rule') ? {} : { where };
        const { text } = await app.rpc.call('specimen/findMany', { ...filter, select: { id: true }, orderBy: { id: 'asc' } });
        expect([name, printed(where), text]).toEqual([name, printed(where), JSON.stringify({ data: expected.map((id) => ({ id })) })]);
      }
    }
  };

  it.each(sample.oneIn(3, VALUE_TYPES))(
    'match the rows for which they are true: $name',
    async (type) => {
      await expectRows(casesOf(type), apps);
    },
    120_000,
  );

  it.each(sample.oneIn(3, VALUE_TYPES))(
    'can compare with another field of the row: $name',
    async (type) => {
      const rules = apps.filter(([name]) => name.endsWith('rule'));
      await expectRows(
        referencesOf(type, (name) => Reflect.get(database.prisma.specimen.fields, name)),
        rules,
      );
    },
    120_000,
  );

  it('are rejected for lists of Bytes', async () => {
    for (const [name, app] of apps) {
      const where = { bytesList: { equals: [Uint8Array.of(0)] } };
      current.rule = where;
      const isRule = name.endsWith('rule');
      const { status } = await app.rpc.call('specimen/findMany', isRule ? {} : { where });
      const filtered = isRule ? undefined : await app.rest.get('/specimen?filter[bytesList]=AA==');
      expect([name, status, filtered?.status]).toEqual(isRule ? [name, 500, undefined] : [name, 400, 400]);
    }
  });

  describe('of REST, whose negations match all other rows', () => {
    // Sets the JSON value null, as opposed to NULL.
    beforeAll(() => database.prisma.$executeRawUnsafe(`UPDATE "Specimen" SET json = 'null', "optionalJson" = 'null' WHERE id = 8`));

    it.each(sample.oneIn(3, VALUE_TYPES))(
      '$name',
      async (type) => {
        for (const field of [type.name, optionalOf(type.name)]) {
          for (const [operator, negated, operand] of sample.oneIn(5, negationsOf(type))) {
            const totals = await totalsOf(apps, field, [operator, negated], operand);
            const expected = SPECIMENS.filter((row) => isFound(row, field, operator, operand)).length;
            const total = SPECIMENS.length - expected;
            expect([field, operator, operand, totals]).toEqual([field, operator, operand, totals.map(() => [expected, total])]);
          }
        }
      },
      120_000,
    );
  });
});

/** Returns the totals of a filter and of its negation for each client, alone and in a group. */
async function totalsOf(apps: readonly (readonly [string, TestApp])[], field: string, operators: readonly string[], operand: string) {
  const forms = [(name: string) => `filter[${name}]`, (name: string) => `filter[or][0][${name}]`];
  const requests = apps.filter(([name]) => !name.endsWith('rule')).flatMap(([, app]) => forms.map((form) => [app, form] as const));
  return Promise.all(
    requests.map(([app, form]) =>
      Promise.all(
        operators.map(async (operator) => {
          const { document } = await app.rest.get(`/specimen?${form(`${field}${operator}`)}=${encodeURIComponent(operand)}`);
          return document.meta?.['total'];
        }),
      ),
    ),
  );
}

/** Pairs of operators with an operand. */
function negationsOf({ values, kind }: ValueType): readonly (readonly [operator: string, negated: string, operand: string])[] {
  const texts = [...values, ...(kind === 'json' ? [null, {}] : [])].map((value) =>
    kind === 'json' ? JSON.stringify(value) : textOf(value),
  );
  const [one = '', two = '', three = ''] = texts;
  const lists = [`${one},${two}`, texts.join(), ...(kind === 'json' ? [`null,${one}`, `${one},null`] : []), three];
  const parts = kind === 'text' ? ['a', '%', '_b', 'null'] : [];
  return [
    ...texts.map((text) => ['', '$ne', text] as const),
    ...lists.map((list) => ['$in', '$notIn', list] as const),
    ...parts.flatMap((part) => PARTS.map(([operator, negated]) => [operator, negated, part] as const)),
  ];
}

const PARTS = [
  ['$contains', '$notContains'],
  ['$icontains', '$notIcontains'],
  ['$startsWith', '$notStartsWith'],
  ['$endsWith', '$notEndsWith'],
] as const;

function isFound(row: SpecimenRow, field: string, operator: string, operand: string): boolean {
  const isJson = field.toLowerCase().endsWith('json');
  const value = isJson && row.id === 8 ? null : row[field];
  // Either null of a Json field reads as null.
  if (isJson) return operand.split(',').includes(JSON.stringify(value));
  if (value === null) return false;
  const text = textOf(value);
  const find = FINDS[operator];
  return find ? find(text, operand) : operand.split(',').includes(text);
}

const FINDS: Readonly<Record<string, (text: string, part: string) => boolean>> = {
  $contains: (text, part) => text.includes(part),
  $icontains: (text, part) => text.toLowerCase().includes(part),
  $startsWith: (text, part) => text.startsWith(part),
  $endsWith: (text, part) => text.endsWith(part),
};

function casesOf(type: ValueType): readonly Case[] {
  const { name, values } = type;
  const [one, two, three] = values;
  const lists = [[], [one], [one, two], [two, one], [three, three], values];
  const operandsOf = (operator: string): readonly unknown[] => {
    if (operator === 'isEmpty') return [true, false];
    if (isOfText(operator)) return ['a', '%', '_b'];
    return LISTED.has(operator) ? lists : values;
  };
  const scalars = Object.entries(SCALAR_OPERATORS[type.kind]).flatMap(([operator, holds]) =>
    [name, optionalOf(name)].flatMap((field) =>
      operandsOf(operator).flatMap((operand) => {
        const compared = isOfText(operator) ? String(operand).replaceAll(/[%_]/g, '\\$&') : operand;
        return withNot(type, field, { [operator]: compared }, (row) => holds(type, row[field], operand));
      }),
    ),
  );
  const list = listOf(name);
  const ofLists = Object.entries(LIST_OPERATORS).flatMap(([operator, holds]) =>
    (operator === 'equals' ? (name === 'bytes' ? [[]] : lists) : operandsOf(operator)).map((operand): Case => ({
      where: { [list]: { [operator]: operand } },
      valueOf: (row) => holds(type, row[list], operand),
    })),
  );
  return [...scalars, ...ofLists, ...nullsOf(type)];
}

const LISTED: ReadonlySet<string> = new Set(['in', 'notIn', 'hasEvery', 'hasSome']);
const isOfText = (operator: string): boolean => operator === 'contains' || operator.endsWith('With');

/** Returns a filter, and the same in `not` if the field allows it. */
function withNot({ kind }: ValueType, field: string, filter: object, valueOf: Case['valueOf']): readonly Case[] {
  const isSayable = kind !== 'json' && !('not' in filter);
  return [
    { where: { [field]: filter }, valueOf },
    ...(isSayable ? [{ where: { [field]: { not: filter } }, valueOf: (row: SpecimenRow) => opposite(valueOf(row)) }] : []),
  ];
}

function nullsOf({ name }: ValueType): readonly Case[] {
  const [optional, list] = [optionalOf(name), listOf(name)];
  return [
    { where: { [optional]: { equals: null } }, valueOf: (row) => row[optional] === null },
    { where: { [optional]: { not: null } }, valueOf: (row) => row[optional] !== null },
    { where: { [list]: { equals: null } }, valueOf: (row) => row[list] === null },
  ];
}

function referencesOf(type: ValueType, fieldOf: (name: string) => unknown): readonly Case[] {
  const { name, kind } = type;
  const [optional, list] = [optionalOf(name), listOf(name)];
  const pairs = [
    [name, optional],
    [optional, name],
    [name, name],
  ] as const;
  const scalars = pairs.flatMap(([field, other]) =>
    Object.entries(SCALAR_OPERATORS[kind]).flatMap(([operator, holds]) => {
      const compared = LISTED.has(operator) ? list : other;
      return withNot(type, field, { [operator]: fieldOf(compared) }, (row) => holds(type, row[field], row[compared]));
    }),
  );
  const lists = ['has', 'hasEvery', 'hasSome'].flatMap((operator) =>
    (operator === 'has' ? [name, optional] : [list]).map((compared): Case => ({
      where: { [list]: { [operator]: fieldOf(compared) } },
      valueOf: (row) => LIST_OPERATORS[operator]?.(type, row[list], row[compared]) ?? null,
    })),
  );
  return [...scalars, ...lists];
}

/** For the message of a failure. */
function printed(where: object): string {
  return JSON.stringify(where, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}
