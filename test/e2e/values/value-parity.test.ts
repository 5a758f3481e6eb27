import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { withSql } from '../../../lib/index.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import type { ScriptedDatabase } from '../../support/scripted-database.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { memberOf, VALUE_TYPES } from '../../support/values/value-types.mjs';
import { openValues, type ValuesClient, valuesSchema } from '../../support/values/values-database.js';

/** Row 1 of the model with a field and a list of each type, as an answer has it. */
type Values = Readonly<Record<string, unknown>>;

/** Reads the values of a row in one way. */
type Road = (app: TestApp, id: number) => Promise<Values | undefined>;

const REST: Readonly<Record<string, Road>> = {
  'alone': async ({ rest }, id) => (await rest.get(`/value/${id}`)).one.attributes,
  'in a list': async ({ rest }, id) => (await rest.get('/value')).many.find((one) => one.id === id)?.attributes,
  'with a to-one include': async ({ rest }, id) => (await rest.get(`/value/${id}?include=holder`)).one.attributes,
  'included in a record': async ({ rest }, id) => included(await rest.get('/holder/1?include=values'), id),
  'included in a list': async ({ rest }, id) => included(await rest.get('/holder?include=values'), id),
  'at a related URL': async ({ rest }, id) => (await rest.get('/holder/1/values')).many.find((one) => one.id === id)?.attributes,
  'after a PATCH': async ({ rest }, id) => {
    const data = { type: 'value', id, relationships: { holder: { data: { type: 'holder', id: 1 } } } };
    return (await rest.patch(`/value/${id}`, { data })).one.attributes;
  },
  'included after a PATCH': async ({ rest }, id) => {
    return included(await rest.patch('/holder/1?include=values', { data: { type: 'holder', id: 1, attributes: { label: 'x' } } }), id);
  },
};

const INCLUDE = { include: { values: true } } as const;

const RPC: Readonly<Record<string, Road>> = {
  'findUnique': async (app, id) => answered(app, 'value/findUnique', { where: { id } }),
  'findMany': async (app, id) => rowOf(await rpc(app, 'value/findMany', {}), id),
  'findFirst': async (app, id) => answered(app, 'value/findFirst', { where: { id } }),
  'findUnique with an include': async (app, id) =>
    rowOf(valuesIn(await rpc(app, 'holder/findUnique', { where: { id: 1 }, ...INCLUDE })), id),
  'findFirst with an include': async (app, id) => rowOf(valuesIn(await rpc(app, 'holder/findFirst', { where: { id: 1 }, ...INCLUDE })), id),
  'findMany with an include': async (app, id) => {
    const [holder] = (await rpc(app, 'holder/findMany', INCLUDE)) as readonly unknown[];
    return rowOf(valuesIn(holder), id);
  },
  'update with an include': async (app, id) => {
    return rowOf(valuesIn(await rpc(app, 'holder/update', { where: { id: 1 }, data: { label: 'x' }, ...INCLUDE })), id);
  },
  'upsert with an include': async (app, id) => {
    const args = { where: { id: 1 }, create: { label: 'x' }, update: { label: 'y' }, ...INCLUDE };
    return rowOf(valuesIn(await rpc(app, 'holder/upsert', args)), id);
  },
  'update': async (app, id) => answered(app, 'value/update', { where: { id }, data: { holderId: 1 } }),
  'a batch': async (app, id) => {
    const { data } = await app.rpc.sequential([
      { model: 'holder', op: 'update', args: { where: { id: 1 }, data: { label: 'x' }, ...INCLUDE } },
      { model: 'value', op: 'findUnique', args: { where: { id } } },
    ]);
    const [holder, row] = data as readonly unknown[];
    expect(textsOf(rowOf(valuesIn(holder), id))).toEqual(textsOf(row as Values));
    return row as Values;
  },
};

const CLIENTS = ['Prisma', 'Prisma with joins', 'SQL', 'Prisma with a query extension'] as const;
const IDS = [1, 2, 3];

onDatabases('postgresql-server').describe('a value of each type', () => {
  const databases: ScriptedDatabase<ValuesClient>[] = [];
  const apps = new Map<string, TestApp>();
  let pool: Pool | undefined;

  beforeAll(async () => {
    const [plain, joined] = [await openValues(), await openValues(true)];
    databases.push(plain, joined);
    const { connectionString } = plain;
    pool = connectionString === undefined ? undefined : new Pool({ connectionString, max: 2 });
    const extended = plain.prisma.$extends({ query: { $allOperations: ({ args, query }) => query(args) } });
    const clients = [plain.prisma, joined.prisma, withSql(plain.prisma, pool ? { pool, writes: true } : {}), extended];
    for (const [index, client] of clients.entries()) {
      apps.set(
        CLIENTS[index] ?? '',
        await startTestApp({ platform: 'fastify', options: { schema: valuesSchema, getClient: () => client } }),
      );
    }
  }, 60_000);
  afterAll(async () => {
    for (const app of apps.values()) await app.close();
    await pool?.end();
    for (const database of databases) await database.close();
  });

  const appOf = (client: string): TestApp => {
    const app = apps.get(client);
    if (!app) throw new Error('It is there once the tests run.');
    return app;
  };

  describe.each([
    ['REST', REST],
    ['RPC', RPC],
  ] as const)('is returned as the same text by %s', (_, roads) => {
    it.each(IDS)('for every endpoint and client: row %d', async (id) => {
      const [first] = Object.values(roads);
      const expected = textsOf(await first?.(appOf('Prisma'), id));
      expect(Object.keys(expected).length).toBeGreaterThan(40);
      const unlike: unknown[] = [];
      for (const client of CLIENTS) {
        for (const [name, road] of Object.entries(roads)) {
          const texts = textsOf(await road(appOf(client), id));
          const fields = [...new Set([...Object.keys(expected), ...Object.keys(texts)])].filter(
            (field) => texts[field] !== expected[field],
          );
          if (fields.length > 0) unlike.push([client, name, fields.map((field) => [field, expected[field], texts[field]])]);
        }
      }
      expect(unlike).toEqual([]);
    });
  });

  it.each(CLIENTS)('can be written back, and matches its row in filters: %s', async (client) => {
    const { rest } = appOf(client);
    for (const id of IDS) {
      const { attributes } = (await rest.get(`/value/${id}`)).one;
      const given: Values = Object.fromEntries(Object.entries(attributes).filter(([name]) => name !== 'holderId'));
      const { one } = await rest.patch('/value/4', { data: { type: 'value', id: 4, attributes: given } });
      expect(textsOf({ ...one.attributes, holderId: null })).toEqual(textsOf({ ...given, holderId: null }));
      const { one: created } = await rest.post('/value', { data: { type: 'value', attributes: given } });
      expect(textsOf({ ...created.attributes, holderId: null })).toEqual(textsOf({ ...given, holderId: null }));
      await rest.delete(`/value/${String(created.id)}`);
      const lost: string[] = [];
      for (const name of VALUE_TYPES.map((type) => memberOf(type.name))) {
        const { many } = await rest.get(`/value?filter[${name}]=${encodeURIComponent(String(given[name]))}`);
        if (!many.some((found) => found.id === id) || !many.some((found) => found.id === 4)) lost.push(name);
      }
      expect(lost.filter((name) => name !== 'real')).toEqual([]);
    }
  });
});

function textsOf(values: Values | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, JSON.stringify(value, replaceBigInt)]));
}

function replaceBigInt(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

interface IncludingResponse {
  readonly document: { readonly included?: readonly { readonly type: string; readonly id?: unknown; readonly attributes?: Values }[] };
}

function included({ document }: IncludingResponse, id: number): Values | undefined {
  return document.included?.find((one) => one.type === 'value' && one.id === id)?.attributes;
}

async function rpc({ rpc: client }: TestApp, operation: string, args: object): Promise<unknown> {
  return (await client.call(operation, args)).data;
}

async function answered(app: TestApp, operation: string, args: object): Promise<Values> {
  return (await rpc(app, operation, args)) as Values;
}

function valuesIn(holder: unknown): readonly Values[] {
  return (holder as { readonly values: readonly Values[] }).values;
}

function rowOf(rows: unknown, id: number): Values | undefined {
  return (rows as readonly Values[]).find((row) => row['id'] === id);
}
