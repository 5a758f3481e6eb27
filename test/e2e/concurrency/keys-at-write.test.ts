import { Client } from 'pg';
import { setTimeout } from 'node:timers/promises';
import { openSchema, type OpenSchema } from '../../support/open-schema.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { onDatabases } from '../../support/databases/this-database.js';

/** The types of keys in Prisma's language, and a value of each in SQL. */
const KEYS: Readonly<Record<string, readonly [prisma: string, sql: string]>> = {
  Int: ['Int', '7'],
  SmallInt: ['Int @db.SmallInt', '7'],
  Oid: ['Int @db.Oid', '7'],
  BigInt: ['BigInt', '9007199254740993'],
  Float: ['Float', '0.1'],
  Real: ['Float @db.Real', '1.5'],
  Decimal: ['Decimal', '1.1'],
  Fixed: ['Decimal @db.Decimal(12, 2)', '1.5'],
  Money: ['Decimal @db.Money', '1.5::numeric::money'],
  Text: ['String', "'plain'"],
  VarChar: ['String @db.VarChar(20)', "'plain'"],
  Char: ['String @db.Char(5)', "'ab'"],
  Citext: ['String @db.Citext', "'Mixed'"],
  Uuid: ['String @db.Uuid', "'a81bc81b-dead-4e5d-abff-90865d1e13b1'"],
  Inet: ['String @db.Inet', "'10.0.0.1'"],
  Bit: ['String @db.Bit(4)', "B'1010'"],
  OneBit: ['String @db.Bit', "B'1'"],
  VarBit: ['String @db.VarBit(8)', "B'101'"],
  Boolean: ['Boolean', 'true'],
  Stamp: ['DateTime', "'2020-01-02 03:04:05.001'"],
  Zoned: ['DateTime @db.Timestamptz(3)', "'2020-01-02 03:04:05.001Z'"],
  Date: ['DateTime @db.Date', "'2020-01-02'"],
  Time: ['DateTime @db.Time(3)', "'03:04:05.001'"],
  Timetz: ['DateTime @db.Timetz(3)', "'03:04:05.001+00'"],
  Bytes: ['Bytes', "decode('AQID', 'base64')"],
  Kind: ['Kind', "'big one'"],
};

const NAMES = Object.keys(KEYS);

const MODELS = `enum Kind {
  SMALL
  BIG @map("big one")
  @@map("kind of key")
}
model Owner {
  id Int @id
  ${NAMES.map((name) => `keys${name} Key${name}[]`).join('\n  ')}
}
${NAMES.map((name) => `model Key${name} {\n  k ${KEYS[name]?.[0]} @id\n  label String\n  ownerId Int?\n  owner Owner? @relation(fields: [ownerId], references: [id])\n}`).join('\n')}`;

const WRITES: readonly (readonly [name: string, args: (where: object) => object, operation: string])[] = [
  ['update that creates', (where) => ({ where, data: { label: 'ours', owner: { create: { id: 2 } } } }), 'update'],
  ['delete that selects', (where) => ({ where, include: { owner: true } }), 'delete'],
];

onDatabases('postgresql-server').describe('a condition beside a key of every type, of two concurrent writers', () => {
  let database: OpenSchema;
  let other: Client;
  let watching: Client;
  const apps = new Map<string, TestApp>();
  beforeAll(async () => {
    database = await openSchema({
      name: 'lock_keys',
      models: MODELS,
      before: 'CREATE EXTENSION citext;',
      sql: 'INSERT INTO "Owner" VALUES (1)',
    });
    const { schema, prisma, inSql, connectionString } = database;
    for (const [engine, client] of Object.entries({ Prisma: prisma, SQL: inSql })) {
      apps.set(engine, await startTestApp({ platform: 'fastify', options: { schema, getClient: () => client } }));
    }
    other = new Client({ connectionString });
    watching = new Client({ connectionString });
    await Promise.all([other.connect(), watching.connect()]);
  }, 60_000);
  afterAll(async () => {
    await Promise.all([...apps.values()].map((app) => app.close()));
    await Promise.all([other.end(), watching.end()]);
    await database.close();
  });

  /** Sends a request while the change of another transaction is uncommitted. Commits it once the request waits for the lock, or is answered. */
  async function race(
    table: string,
    send: () => PromiseLike<{ readonly status: number; readonly text: string }>,
  ): Promise<[number, string]> {
    await other.query('BEGIN');
    await other.query(`UPDATE "${table}" SET "label" = 'theirs'`);
    const progress = { isAnswered: false, isWaiting: false };
    const sent = Promise.resolve(send()).finally(() => (progress.isAnswered = true));
    sent.catch(() => undefined);
    while (!progress.isAnswered && !progress.isWaiting) {
      const { rows } = await watching.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' LIMIT 1",
      );
      progress.isWaiting = rows.length > 0;
      if (!progress.isWaiting) await setTimeout(2);
    }
    await other.query('COMMIT');
    const { status, text } = await sent;
    return [status, text];
  }

  describe.each(['Prisma', 'SQL'])('by %s', (engine) => {
    describe.each(WRITES)('%s', (_, argsOf, operation) => {
      it.each(NAMES)('rejects the second write if the key is a %s', async (name) => {
        const app = apps.get(engine);
        if (!app) throw new Error('No such app.');
        const table = `Key${name}`;
        await other.query(`DELETE FROM "${table}"`);
        await other.query(`DELETE FROM "Owner" WHERE "id" = 2`);
        await other.query(`INSERT INTO "${table}" VALUES (${KEYS[name]?.[1]}, 'first', 1)`);
        const delegate = `key${name}`;
        const { data } = await app.rpc.call(`${delegate}/findFirst`);
        const { k } = data as { readonly k: unknown };
        expect([name, (await app.rpc.call(`${delegate}/findUnique`, { where: { k } })).data]).toEqual([name, data]);
        const [status, text] = await race(table, () => app.rpc.call(`${delegate}/${operation}`, argsOf({ k, label: 'first' })));
        expect([status, text]).toEqual([404, text]);
        expect((await watching.query(`SELECT "label", "ownerId" FROM "${table}"`)).rows).toEqual([{ label: 'theirs', ownerId: 1 }]);
      });
    });
  });
});
