import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { RulesOption } from '../../../lib/index.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { openSchema, type OpenSchema } from '../../support/open-schema.js';
import { sample } from '../../support/sample.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

/** One-to-one relations of a model to itself and to others, each with the foreign key on one side, and a list. */
const MODELS = `model Person {
  id Int @id
  code String? @unique
  /// @api.version
  version Int @default(1)
  spouse Person? @relation("spouse", fields: [spouseId], references: [id])
  spouseId Int? @unique
  spouseOf Person? @relation("spouse")
  badge Badge?
  pass Pass?
  team Team? @relation(fields: [teamId], references: [id])
  teamId Int?
}
model Badge {
  id Int @id
  code String? @unique
  /// @api.version
  version Int @default(1)
  owner Person? @relation(fields: [ownerId], references: [id])
  ownerId Int? @unique
}
model Pass {
  id Int @id
  code String? @unique
  /// @api.version
  version Int @default(1)
  owner Person @relation(fields: [ownerId], references: [id])
  ownerId Int @unique
}
model Team {
  id Int @id
  code String? @unique
  /// @api.version
  version Int @default(1)
  members Person[]
}`;

const TABLES = ['Person', 'Badge', 'Pass', 'Team'] as const;

const RESET = `CREATE FUNCTION reset_rows() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  ${TABLES.map((table) => `DELETE FROM "${table}";`).join(' ')}
  INSERT INTO "Team" (id, code, version) VALUES (1, NULL, 1), (2, 'c2', 1), (3, 'c3', 1);
  INSERT INTO "Person" (id, code, version, "spouseId", "teamId") VALUES (1, NULL, 1, 2, 1), (2, 'c2', 1, NULL, NULL), (3, 'c3', 1, 4, 2), (4, NULL, 1, NULL, NULL);
  INSERT INTO "Badge" (id, code, version, "ownerId") VALUES (1, NULL, 1, 1), (2, 'c2', 1, 2), (3, 'c3', 1, NULL);
  INSERT INTO "Pass" (id, code, version, "ownerId") VALUES (1, NULL, 1, 1), (2, 'c2', 1, 2);
END $$;`;

/** All relations, by the names of their models. */
const RELATIONS = [
  ['person', 'spouse', 'person'],
  ['person', 'spouseOf', 'person'],
  ['person', 'badge', 'badge'],
  ['badge', 'owner', 'person'],
  ['pass', 'owner', 'person'],
  ['person', 'pass', 'pass'],
  ['person', 'team', 'team'],
  ['team', 'members', 'person'],
] as const;

type ModelName = (typeof RELATIONS)[number][0];
type Write = readonly [model: ModelName, operation: string, args: object];

/** Values of a new record. A pass needs its owner. */
function newRecord(model: ModelName, relation?: string): object {
  return { id: 9, ...(model === 'pass' && relation !== 'owner' && { owner: { connect: { id: 4 } } }) };
}

/**
 * The verbs that link a row, which may be linked to another one already. Prisma refuses two forms of connectOrCreate which the API executes: if a new
 * row replaces one that has the foreign key, and if a row is linked already by a required key.
 */
function linkingVerbs([model, relation, target]: (typeof RELATIONS)[number]): readonly object[] {
  const keys = [{ id: 1 }, { id: 2 }, { code: 'c2' }];
  const connects = keys.map((connect) => ({ connect }));
  if (model === 'pass' || target === 'pass') return connects;
  const isReplacing = relation === 'spouseOf' || relation === 'badge';
  const created = { connectOrCreate: { where: { id: 9 }, create: { id: 9 } } };
  return [
    ...connects,
    { create: { id: 9 } },
    { connectOrCreate: { where: { id: 2 }, create: { id: 9 } } },
    ...(isReplacing ? [] : [created]),
  ];
}

/** Every write that links a row, by each relation. */
const WRITES: readonly Write[] = RELATIONS.flatMap((one) =>
  linkingVerbs(one).flatMap((verbs): readonly Write[] => {
    const [model, relation] = one;
    const data = { [relation]: verbs };
    const create = { ...newRecord(model, relation), id: 8, ...data };
    return [
      [model, 'update', { where: { id: 1 }, data }],
      [model, 'update', { where: { code: 'c2' }, data }],
      [model, 'create', { data: create }],
      [model, 'upsert', { where: { id: 1 }, create, update: data }],
      [model, 'upsert', { where: { id: 8 }, create, update: data }],
      ...RELATIONS.filter(([, , other]) => other === model).flatMap(([parent, name]): readonly Write[] => {
        const nested = parent === 'team' ? { where: { id: 1 }, data } : data;
        return [[parent, 'update', { where: { id: 1 }, data: { [name]: { update: nested } } }]];
      }),
    ];
  }),
);

/** The same updates with a condition beside the key, which the API decomposes. */
const DECOMPOSED = WRITES.filter(([, operation]) => operation === 'update').map(([model, operation, args]): Write => [
  model,
  operation,
  { ...args, where: { ...(args as Update).where, version: 1 } },
]);

interface Update {
  readonly where: object;
}

const RULE = { read: { OR: [{ code: null }, { code: { not: 'none' } }] }, create: true, update: true, delete: true };
const RULES: RulesOption = { Person: RULE, Badge: RULE, Pass: RULE, Team: RULE };
const ENGINES = ['Prisma', 'SQL', 'Prisma under rules', 'SQL under rules'] as const;

/** Each write with one engine, in turn. */
const CASES = [...WRITES, ...DECOMPOSED].flatMap((write, number) =>
  ENGINES.filter((_, index) => number % ENGINES.length === index).map((engine) => [engine, write] as const),
);

/** Writes with a record that they create only if another row does not exist, and the persons whose version they increment. */
const BRANCHES: readonly (readonly [write: Write, persons: Readonly<Record<number, number>>])[] = [
  [
    [
      'person',
      'upsert',
      { where: { id: 1 }, create: { id: 1, spouse: { connect: { id: 2 } } }, update: { spouse: { connect: { id: 2 } } } },
    ],
    { 1: 2 },
  ],
  [['person', 'upsert', { where: { id: 1 }, create: { id: 1, spouse: { connect: { id: 4 } } }, update: { code: 'new' } }], { 1: 2 }],
  [['person', 'upsert', { where: { id: 1 }, create: { id: 1, spouse: { connect: { id: 4 } } }, update: {} }], {}],
  [['person', 'upsert', { where: { id: 8 }, create: { id: 8, spouse: { connect: { id: 2 } } }, update: {} }], { 1: 2 }],
  [['team', 'upsert', { where: { id: 1 }, create: { id: 1, members: { connect: { id: 3 } } }, update: {} }], {}],
  [['team', 'upsert', { where: { id: 8 }, create: { id: 8, members: { connect: { id: 3 } } }, update: {} }], { 3: 2 }],
  [
    [
      'badge',
      'update',
      { where: { id: 1 }, data: { owner: { upsert: { create: { id: 9, spouse: { connect: { id: 4 } } }, update: { code: 'n' } } } } },
    ],
    { 1: 2 },
  ],
  [
    [
      'badge',
      'update',
      { where: { id: 1 }, data: { owner: { connectOrCreate: { where: { id: 1 }, create: { id: 9, spouse: { connect: { id: 4 } } } } } } },
    ],
    {},
  ],
  [
    [
      'badge',
      'update',
      { where: { id: 3 }, data: { owner: { connectOrCreate: { where: { id: 9 }, create: { id: 9, spouse: { connect: { id: 4 } } } } } } },
    ],
    { 3: 2 },
  ],
];

type Row = Readonly<Record<string, unknown>>;
type State = ReadonlyMap<string, Row>;

onDatabases('postgresql').describe('links of one-to-one relations', () => {
  onPlatforms('by RPC', (platform) => {
    let database: OpenSchema;
    const apps = new Map<string, TestApp>();
    beforeAll(async () => {
      database = await openSchema({ name: 'linking_one_to_one', models: MODELS, sql: RESET });
      const { schema, prisma, inSql } = database;
      for (const engine of ENGINES) {
        const rules = engine.endsWith('rules') ? { rules: RULES } : {};
        const getClient = (): object => (engine.startsWith('SQL') ? inSql : prisma);
        apps.set(engine, await startTestApp({ platform, options: { ...rules, schema, getClient } }));
      }
    }, 60_000);
    afterAll(async () => {
      for (const app of apps.values()) await app.close();
      await database.close();
    });

    async function reset(): Promise<State> {
      await database.prisma.$executeRawUnsafe('SELECT reset_rows()');
      return readState();
    }

    async function readState(): Promise<State> {
      const state = new Map<string, Row>();
      for (const table of TABLES) for (const row of await delegateOf(table).findMany()) state.set(`${table} ${String(row['id'])}`, row);
      return state;
    }

    interface Delegate {
      findMany(): Promise<readonly Row[]>;
    }

    function delegateOf(table: string): Delegate & Readonly<Record<string, (args: object) => Promise<unknown>>> {
      // `as`: the client of a schema that the test generates has no types.
      return Reflect.get(database.prisma, table.toLowerCase()) as never;
    }

    /** The rows that Prisma itself stores, and whether it refuses the write. */
    async function storedByPrisma([model, operation, args]: Write): Promise<readonly [isDone: boolean, rows: unknown]> {
      await reset();
      const isDone = await (delegateOf(model)[operation] as (args: object) => Promise<unknown>)(args).then(
        () => true,
        () => false,
      );
      return [isDone, withoutVersions(await readState())];
    }

    it.each(sample.oneIn(7, CASES))('are those of Prisma, and count in each changed row, with %s: %j', async (engine, write) => {
      const [model, operation, args] = write;
      const [isDone, rows] = await storedByPrisma(write);
      const before = await reset();
      const { status = 500, text } = (await apps.get(engine)?.rpc.call(`${model}/${operation}`, args)) ?? {};
      const after = await readState();
      expect([status < 300, status < 500, withoutVersions(after), text]).toEqual([isDone, true, rows, text]);
      const changed = [...before].filter(([name, row]) => withoutVersion(row) !== withoutVersion(after.get(name)));
      const uncounted = changed.filter(([name, { version }]) => after.get(name)?.['version'] === version).map(([name]) => name);
      expect(uncounted).toEqual([]);
    });

    it.each(ENGINES.flatMap((engine) => BRANCHES.map(([write, persons]) => [engine, write, persons] as const)))(
      'count only in rows that the executed branch changes, with %s: %j',
      async (engine, [model, operation, args], persons) => {
        await reset();
        const { status, text } = (await apps.get(engine)?.rpc.call(`${model}/${operation}`, args)) ?? {};
        const counted = [...(await readState())].flatMap(([name, { id, version }]) =>
          name.startsWith('Person') && version !== 1 ? [[Number(id), version] as const] : [],
        );
        expect([status, text, Object.fromEntries(counted)]).toEqual([expect.any(Number), expect.not.stringContaining('error'), persons]);
      },
    );
  });
});

function withoutVersion(row: Row | undefined): string {
  return JSON.stringify({ ...row, version: undefined });
}

function withoutVersions(state: State): unknown {
  return [...state].map(([name, row]) => [name, withoutVersion(row)]).toSorted();
}
