import fc from 'fast-check';
import { sample } from '../../support/sample.js';
import { openSchema, type OpenSchema } from '../../support/open-schema.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

const MEMBERS = `a Int
  b String?
  ownerId Int?
  owner Owner? @relation(fields: [ownerId], references: [id])`;

/** Models with a key of one field, a compound key, a unique field instead of a primary key, and both. */
const MODELS = `model Owner {
  id Int @id
  singles Single[]
  pairs Pair[]
  codes Code[]
  boths Both[]
}
model Single {
  id Int @id
  ${MEMBERS}
}
model Pair {
  x Int
  y Int
  ${MEMBERS}
  @@id([x, y])
}
model Code {
  id Int @unique
  ${MEMBERS}
}
model Both {
  x Int
  y Int
  id Int @unique
  ${MEMBERS}
  @@id([x, y])
}`;

interface Row {
  readonly n: number;
  readonly a: number;
  readonly b: string | null;
  readonly hasOwner: boolean;
}

interface Served {
  readonly name: string;
  readonly list: string;
  /** SQL of the key columns, computed from the number of a row. */
  readonly columns: string;
  readonly keyOf: (n: number) => readonly number[];
  readonly cursor: (row: Readonly<Record<string, unknown>>) => object;
}

const x = (n: number): number => n % 3;
const SERVED: readonly Served[] = [
  { name: 'Single', list: 'singles', columns: '"id"', keyOf: (n) => [n], cursor: ({ id }) => ({ id }) },
  { name: 'Pair', list: 'pairs', columns: '"x", "y"', keyOf: (n) => [x(n), n], cursor: (row) => ({ x_y: { x: row['x'], y: row['y'] } }) },
  { name: 'Code', list: 'codes', columns: '"id"', keyOf: (n) => [n], cursor: ({ id }) => ({ id }) },
  { name: 'Both', list: 'boths', columns: '"x", "y", "id"', keyOf: (n) => [x(n), 100 - n, n], cursor: ({ id }) => ({ id }) },
];

/** Rows in the order in which they are stored. */
const rows = fc
  .array(fc.record({ a: fc.integer({ min: 0, max: 2 }), b: fc.constantFrom(null, 'p', 'q'), hasOwner: fc.boolean() }), {
    minLength: 1,
    maxLength: 12,
  })
  .chain((made) =>
    fc.shuffledSubarray(
      made.map((row, n) => ({ n, ...row })),
      { minLength: made.length, maxLength: made.length },
    ),
  );

const direction = fc.constantFrom('asc', 'desc');
const term = fc.oneof(
  direction.map((a) => ({ a })),
  direction.map((b) => ({ b })),
  fc.record({ sort: direction, nulls: fc.constantFrom('first', 'last') }).map((b) => ({ b })),
  direction.map((id) => ({ owner: { id } })),
);

interface Walk {
  readonly orderBy: readonly object[];
  readonly size: number;
  readonly isBackward: boolean;
  readonly mode: 'cursor' | 'skip';
  readonly isNested: boolean;
  readonly distinct: boolean;
}

/** Whether Prisma returns no row after a cursor, because the order is by a field of a related row that is null. */
const isPrismasFault = ({ orderBy, mode }: Walk): boolean => mode === 'cursor' && orderBy.some((one) => 'owner' in one);

const anyWalks: fc.Arbitrary<Walk> = fc.record({
  orderBy: fc.array(term, { maxLength: 2 }),
  size: fc.integer({ min: 1, max: 4 }),
  isBackward: fc.boolean(),
  mode: fc.constantFrom('cursor' as const, 'skip' as const),
  isNested: fc.boolean(),
  distinct: fc.boolean(),
});

const walks = anyWalks.filter((walk) => !isPrismasFault(walk));

function argumentsOf({ orderBy, size, isBackward, mode, distinct }: Walk): object {
  const take = isBackward ? -size : size;
  return { ...(orderBy.length > 0 && { orderBy }), take, ...(distinct && mode === 'skip' && { distinct: ['a', 'b'] }) };
}

/** Returns the arguments of the next page. */
function placeOf({ cursor }: Served, { isBackward, mode }: Walk, found: readonly Readonly<Record<string, unknown>>[]): object {
  const last = isBackward ? found[0] : found.at(-1);
  if (mode === 'skip') return { skip: found.length };
  return last ? { cursor: cursor(last), skip: 1 } : {};
}

onPlatforms('paging in RPC', (platform) => {
  let database: OpenSchema;
  let apps: readonly TestApp[];

  beforeAll(async () => {
    database = await openSchema({ name: 'walking_pages', models: MODELS, sql: 'INSERT INTO "Owner" VALUES (1), (2)' });
    const { schema, prisma, inSql } = database;
    const rules = { '*': { read: { a: { gte: 0 } } }, 'Owner': { read: true } };
    apps = await Promise.all([
      ...[prisma, inSql].map((client) => startTestApp({ platform, options: { schema, getClient: () => client } })),
      ...[prisma, inSql].map((client) => startTestApp({ platform, options: { schema, getClient: () => client, rules } })),
    ]);
  }, 60_000);
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await database.close();
  });

  async function store({ name, columns, keyOf }: Served, stored: readonly Row[], isNested: boolean): Promise<void> {
    const { prisma } = database;
    await prisma.$executeRawUnsafe(`DELETE FROM "${name}"`);
    const values = stored.map(({ n, a, b, hasOwner }) => {
      const owner = isNested || hasOwner ? (isNested ? 1 : (n % 2) + 1) : 'NULL';
      return `(${keyOf(n).join(', ')}, ${a}, ${b === null ? 'NULL' : `'${b}'`}, ${owner})`;
    });
    await prisma.$executeRawUnsafe(`INSERT INTO "${name}" (${columns}, "a", "b", "ownerId") VALUES ${values.join(', ')}`);
  }

  async function pageOf(
    app: TestApp,
    { name, list }: Served,
    args: object,
    isNested: boolean,
  ): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const path = isNested ? 'owner/findUnique' : `${name.toLowerCase()}/findMany`;
    const response = await app.rpc.call(path, isNested ? { where: { id: 1 }, select: { [list]: args } } : args);
    const { data } = response;
    return (isNested ? (data as Readonly<Record<string, unknown>>)[list] : data) as readonly Readonly<Record<string, unknown>>[];
  }

  async function walk(app: TestApp, served: Served, options: Walk): Promise<readonly object[]> {
    const found: Readonly<Record<string, unknown>>[] = [];
    for (let pages = 0; pages < 14; pages++) {
      const page = await pageOf(app, served, { ...argumentsOf(options), ...placeOf(served, options, found) }, options.isNested);
      if (page.length === 0) break;
      if (options.isBackward) found.unshift(...page);
      else found.push(...page);
    }
    return found;
  }

  it.each(SERVED)(
    '$name: returns each row exactly once, in any order, size and direction',
    async (served) => {
      await fc.assert(
        fc.asyncProperty(rows, walks, async (stored, options) => {
          await store(served, stored, options.isNested);
          const nameOf = (row: object): string => {
            const { a, b, ...others } = row as Row;
            return JSON.stringify(options.distinct && options.mode === 'skip' ? [a, b] : [a, b, others]);
          };
          const walked = await Promise.all(apps.map((app) => walk(app, served, options)));
          const [app] = apps as readonly [TestApp, ...TestApp[]];
          const whole = await pageOf(app, served, {}, options.isNested);
          const names = [...new Set(whole.map(nameOf))].sort();
          for (const one of walked) {
            expect(one.map(nameOf).sort()).toEqual(names);
            expect(one).toEqual(walked[0]);
          }
        }),
        { numRuns: sample.choose(4, 100) },
      );
    },
    300_000,
  );

  it('returns each group once in an order by an aggregate', async () => {
    const stored = Array.from({ length: 9 }, (_, n) => ({
      n,
      a: n % 3,
      b: ['p', 'q', 'r'][Math.floor(n / 3)] ?? null,
      hasOwner: false,
    })).reverse();
    const [served] = SERVED as readonly [Served];
    await store(served, stored, false);
    for (const app of apps) {
      const found: unknown[] = [];
      for (let skip = 0; skip < 9; skip += 2) {
        const { data } = await app.rpc.call('single/groupBy', { by: ['a', 'b'], orderBy: { _count: { id: 'desc' } }, take: 2, skip });
        found.push(...(data as readonly unknown[]).map((group) => JSON.stringify(group)));
      }
      expect([found.length, new Set(found).size]).toEqual([9, 9]);
    }
  });
});
