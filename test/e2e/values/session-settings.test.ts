import { Logger, Module } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import { ResourceAction, ResourceActions, withSql } from '../../../lib/index.js';
import { FaultProxy } from '../../support/fault-proxy.js';
import { describeModels, makeInlineClient } from '../../support/inline-client.js';
import { LogLines } from '../../support/log-lines.js';
import { type OpenSchema, openSchema } from '../../support/open-schema.js';
import { type Platform, startTestApp, type TestApp } from '../../support/test-app.js';
import { onDatabases } from '../../support/databases/this-database.js';

/** A field of each type that a setting might change, with the value that it has in SQL and in documents. */
const FIELDS = [
  ['stamp', 'DateTime @db.Timestamp(3)', `'2026-07-08 03:04:05.678'`, '2026-07-08T03:04:05.678Z'],
  ['zoned', 'DateTime @db.Timestamptz(3)', `'2026-07-08 03:04:05.678+00'`, '2026-07-08T03:04:05.678Z'],
  ['day', 'DateTime @db.Date', `'2026-02-03'`, '2026-02-03T00:00:00.000Z'],
  ['time', 'DateTime @db.Time(3)', `'03:04:05.678'`, '1970-01-01T03:04:05.678Z'],
  ['double', 'Float', '0.1::float8 + 0.2::float8', 0.1 + 0.2],
  ['real', 'Float @db.Real', '0.1', 0.1],
  ['decimal', 'Decimal', '12345678901234567890.123456789', '12345678901234567890.123456789'],
  ['money', 'Decimal @db.Money', '1234.5::numeric::money', '1234.5'],
  ['bytes', 'Bytes', `decode('AP9cJ0E=', 'base64')`, 'AP9cJ0E='],
  ['text', 'String', `E'a\\\\b\\'c'`, `a\\b'c`],
  ['json', 'Json', `jsonb_build_object('a', E'x\\\\y')`, { a: 'x\\y' }],
  ['kind', 'Kind', `E'a\\\\b'::"Kind"`, 'ONE'],
] as const;

const MODELS = `enum Kind {
  ONE @map("a\\\\b")
  TWO
}
model Holder {
  id     Int     @id
  label  String?
  values Value[]
}
model Value {
  id       Int     @id
  holderId Int?
  holder   Holder? @relation(fields: [holderId], references: [id])
${FIELDS.map(([name, type]) => `  ${name} ${type.replace(/^\w+/, '$&?')}`).join('\n')}
}`;

const ROWS = `INSERT INTO "Holder" VALUES (1);
INSERT INTO "Value" ("id", "holderId", ${FIELDS.map(([name]) => `"${name}"`).join(', ')})
  SELECT 1, 1, ${FIELDS.map(([, , sql]) => sql).join(', ')};
INSERT INTO "Value" ("id") VALUES (2);`;

/** Values of settings, and the fields whose values they change. */
const SETTINGS: readonly (readonly [setting: string, value: string, changed: readonly string[]])[] = [
  ['TimeZone', 'Etc/UTC', []],
  ['TimeZone', 'GMT', []],
  ['TimeZone', 'Asia/Tokyo', ['zoned']],
  ['TimeZone', 'America/New_York', ['zoned']],
  ['TimeZone', 'Europe/London', ['zoned']],
  ['DateStyle', 'ISO, DMY', []],
  ['DateStyle', 'SQL, DMY', ['stamp', 'zoned', 'day']],
  ['DateStyle', 'German, DMY', ['stamp', 'zoned', 'day']],
  ['IntervalStyle', 'sql_standard', []],
  ['bytea_output', 'escape', []],
  ['extra_float_digits', '3', []],
  ['extra_float_digits', '0', ['double']],
  ['extra_float_digits', '-10', ['double']],
  ['lc_monetary', 'C', []],
  ['standard_conforming_strings', 'off', []],
];

const JSON_API = { 'Content-Type': 'application/vnd.api+json' };

const warnings = (log: LogLines): readonly string[] => log.warnings.filter((text) => text.includes('The connections of'));

/** Returns the fields whose values differ when they are read, filtered or written. */
async function changedFields(app: TestApp): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const [name, , , value] of FIELDS) {
    const values = [...(await readAll(app, name)), ...(await findBy(app, name, value)), await write(app, name, value)];
    if (values.some((one) => JSON.stringify(one) !== JSON.stringify(value))) changed.push(name);
  }
  return changed;
}

const query = (args: object): string => `q=${encodeURIComponent(JSON.stringify(args))}`;

async function readAll({ agent }: TestApp, name: string): Promise<readonly unknown[]> {
  const alone = await agent.get(`/api/rest/value/1?fields[value]=${name}`);
  const included = await agent.get(`/api/rest/holder/1?include=values&fields[value]=${name}`);
  const rpc = await agent.get(`/api/rpc/value/findMany?${query({ where: { id: 1 }, select: { [name]: true } })}`);
  return [alone.body.data?.attributes[name], included.body.included?.[0].attributes[name], rpc.body.data?.[0][name]];
}

/** Returns the value of the record by each filter with that value. */
async function findBy({ agent }: TestApp, name: string, value: unknown): Promise<readonly unknown[]> {
  const text = encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value));
  const rest = await agent.get(`/api/rest/value?fields[value]=id&filter[id]=1&filter[${name}]=${text}`);
  const rpc = await agent.get(`/api/rpc/value/findMany?${query({ where: { id: 1, [name]: { equals: value } }, select: { id: true } })}`);
  return [rest, rpc].map(({ body }) => (body.data?.length === 1 ? value : undefined));
}

async function write({ agent }: TestApp, name: string, value: unknown): Promise<unknown> {
  const body = JSON.stringify({ data: { type: 'value', id: 2, attributes: { [name]: value } } });
  const { body: answer } = await agent.patch(`/api/rest/value/2?fields[value]=${name}`).set(JSON_API).send(body);
  return answer.data?.attributes[name];
}

@ResourceActions('Value')
class ValueActions {
  @ResourceAction({ on: 'collection' })
  ping(): void {
    return undefined;
  }
}

@Module({ providers: [ValueActions] })
class ActionsModule {}

type Imports = NonNullable<Parameters<typeof startTestApp>[0]['imports']>;

onDatabases('postgresql-server').describe('settings of database sessions', () => {
  let database: OpenSchema | undefined;
  const apps: TestApp[] = [];

  async function open(setting: string, value: string, of = 'DATABASE %1$I'): Promise<OpenSchema> {
    const set = `EXECUTE format('ALTER ${of} SET ${setting} = %3$L', current_database(), current_user, '${value}')`;
    const words = setting === 'DateStyle' ? set.replace('%3$L', '%3$s') : set;
    database = await openSchema({ name: 'settings', models: MODELS, sql: `${ROWS} DO $do$ BEGIN ${words}; END $do$;` });
    return database;
  }
  async function start(platform: Platform, getClient: (request?: unknown) => object, schema: OpenSchema['schema'], imports: Imports = []) {
    const logger = new LogLines();
    const app = await startTestApp({ platform, logger, options: { schema, getClient }, imports });
    apps.push(app);
    return { app, logger };
  }
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.close()));
    await database?.close();
    database = undefined;
    Logger.overrideLogger(false);
  });

  it.each(SETTINGS)(
    '%s = %s changes no value, or is a warning at start',
    async (setting, value, changed) => {
      const { prisma, inSql, schema } = await open(setting, value);
      for (const [platform, client, connections] of [
        ['express', prisma, ['data client']],
        ['fastify', inSql, ['data client', 'pool that SQL runs on']],
      ] as const) {
        const { app, logger } = await start(platform, () => client, schema);
        const found = await changedFields(app);
        // SQL reads dates in any format.
        if (client === prisma) expect(found).toEqual(changed);
        else expect(found.filter((name) => !changed.includes(name))).toEqual([]);
        const warned = warnings(logger).map((line) => /The connections of the (.+?) have (\w+) = '(.+?)', which/.exec(line)?.slice(1));
        expect(warned).toEqual(changed.length > 0 ? connections.map((name) => [name, setting, value]) : []);
        for (const line of warnings(logger)) {
          for (const name of changed) expect(line).toContain(`Value.${name}`);
          expect(line).toContain(`options: '-c ${setting}=`);
        }
      }
    },
    60_000,
  );

  it.each(['express', 'fastify'] as const)(
    'are checked once, by the first request, if getClient depends on the request: %s',
    async (platform) => {
      const { prisma, schema } = await open('TimeZone', 'Asia/Tokyo', 'ROLE %2$I IN DATABASE %1$I');
      const { app, logger } = await start(platform, (_request) => prisma, schema);
      expect(warnings(logger)).toEqual([]);
      for (let times = 0; times < 3; times++) expect((await app.rest.get('/value/1?fields[value]=zoned')).status).toBe(200);
      expect(warnings(logger)).toEqual([expect.stringContaining("TimeZone = 'Asia/Tokyo'")]);
    },
  );

  it('do not prevent the start if the database is unreachable', async () => {
    const { schema } = await open('TimeZone', 'Asia/Tokyo');
    const failing = { $queryRawUnsafe: () => Promise.reject(new Error('ECONNREFUSED')), $connect: () => undefined };
    const silent = { $queryRawUnsafe: () => new Promise(() => undefined), $connect: () => undefined };
    for (const client of [failing, silent]) {
      const { logger } = await start('fastify', () => client, schema);
      expect(warnings(logger)).toEqual([]);
    }
  });

  it('are checked once, by the first request that reaches the database', async () => {
    const { schema, connectionString = '' } = await open('TimeZone', 'Asia/Tokyo');
    const proxy = await FaultProxy.before(connectionString);
    proxy.refuses = true;
    const options = { transactionOptions: { maxWait: 60_000, timeout: 60_000 } };
    const adapter = new PrismaPg({ connectionString: proxy.connectionString });
    const prisma = makeInlineClient(describeModels(MODELS), [], { adapter, ...options });
    const pool = new Pool({ connectionString: proxy.connectionString });
    const inSql = withSql(prisma, { pool });
    try {
      const { app, logger } = await start('fastify', () => inSql, schema);
      const statusOf = async (): Promise<number> => (await app.rest.get('/value/1?fields[value]=zoned')).status;
      expect([await statusOf(), warnings(logger)]).toEqual([503, []]);
      proxy.refuses = false;
      for (let times = 0; times < 200 && warnings(logger).length < 2; times++) {
        expect(await statusOf()).toBe(200);
        // The check is repeated after a second.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      for (let times = 0; times < 3; times++) expect(await statusOf()).toBe(200);
      const names = warnings(logger).map((line) => /The connections of the (.+?) have TimeZone = 'Asia/.exec(line)?.[1]);
      expect(names).toEqual(['data client', 'pool that SQL runs on']);
    } finally {
      await pool.end();
      await prisma.$disconnect();
      await proxy.close();
    }
  });

  it('are checked by an action that is the first request', async () => {
    const { prisma, schema } = await open('TimeZone', 'Asia/Tokyo');
    const { app, logger } = await start('fastify', (_request) => prisma, schema, [ActionsModule]);
    expect((await app.rest.request('POST', '/value/ping')).status).toBe(204);
    for (let times = 0; times < 100 && warnings(logger).length < 1; times++) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(warnings(logger)).toEqual([expect.stringContaining("TimeZone = 'Asia/Tokyo'")]);
  });
});
