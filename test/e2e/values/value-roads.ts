import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { Pool } from 'pg';
import { withSql, withSqlReads } from '../../../lib/index.js';
import { resourceSchema } from '../../support/generated/values/resource-schema.js';
import { sendRequest } from '../../support/send-request.js';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.js';
import { openValuesDatabase, type ValuesDatabase } from '../../support/values-database.js';

/** An application with another engine, or under row rules. */
export interface Engine {
  readonly name: 'Prisma' | 'SQL' | 'Prisma with a query extension' | 'Prisma under rules' | 'SQL under rules';
  readonly app: TestApp;
}

/** One style of one application. The same value must have the same outcome on each. */
export interface Road {
  readonly name: string;
  readonly engine: Engine;
  /** Creates a record with these fields. */
  readonly create: (fields: object) => Promise<Outcome>;
  readonly update: (id: number, fields: object) => Promise<Outcome>;
  readonly read: (id: number) => Promise<Outcome>;
  /** Returns the ids of the records that match Prisma's `where`. */
  readonly findWhere: (where: object) => Promise<Outcome>;
  /** The ids of the records whose field equals a value. */
  readonly find: (field: string, value: unknown) => Promise<Outcome>;
}

/** A response, without the parts that only one style has. */
export interface Outcome {
  readonly status: number;
  readonly id: number;
  /** The fields of the record, if the response has one. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly ids: readonly number[];
  /** The body, for messages of failures. */
  readonly text: string;
}

type Options = NonNullable<TestAppOptions['options']>;

export interface ValueRoads {
  readonly database: () => ValuesDatabase;
  readonly engines: () => readonly Engine[];
  readonly roads: () => readonly Road[];
  readonly roadNamed: (name: string) => Road;
}

/** Applications on one database that differ in engine, platform and rules: Prisma on Express, SQL on Fastify, which also writes on a server. */
export function useValueRoads(options: Options = {}): ValueRoads {
  let database: ValuesDatabase;
  let pool: Pool | undefined;
  let engines: readonly Engine[];

  beforeAll(async () => {
    database = await openValuesDatabase();
    const { prisma, connectionString } = database;
    pool = connectionString === undefined ? undefined : new Pool({ connectionString, max: 2, statement_timeout: 4_000 });
    const fast = pool ? withSql(prisma, { pool, writes: true }) : withSqlReads(prisma);
    const extended = prisma.$extends({ query: { $allOperations: ({ args, query }) => query(args) } });
    const rules = { rules: { Value: { read: true, create: true, update: { id: { gt: 0 } }, delete: true }, Holder: true } };
    const start = (client: object, platform: 'express' | 'fastify', more: Options = {}): Promise<TestApp> =>
      startTestApp({ platform, options: { schema: resourceSchema, ...options, ...more, getClient: () => client } });
    engines = [
      { name: 'Prisma', app: await start(prisma, 'express') },
      { name: 'SQL', app: await start(fast, 'fastify') },
      { name: 'Prisma with a query extension', app: await start(extended, 'express') },
      { name: 'Prisma under rules', app: await start(prisma, 'fastify', rules) },
      { name: 'SQL under rules', app: await start(fast, 'express', rules) },
    ];
  }, 60_000);
  beforeEach(() => database.reset());
  afterAll(async () => {
    for (const { app } of engines) await app.close();
    await pool?.end();
    await database.close();
  });

  const roads = (): readonly Road[] => engines.flatMap((engine) => [restRoad(engine), rpcRoad(engine), nestedRoad(engine)]);
  const roadNamed = (name: string): Road => {
    const road = roads().find((one) => one.name === name);
    if (!road) throw new Error(`There is no road ${name}.`);
    return road;
  };
  return { database: () => database, engines: () => engines, roads, roadNamed };
}

const JSON_API = { 'Content-Type': 'application/vnd.api+json' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

interface Body {
  readonly data?: unknown;
}

interface ResourceObject {
  readonly id: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

function restRoad(engine: Engine): Road {
  const { agent } = engine.app;
  const send = async (method: 'GET' | 'POST' | 'PATCH', path: string, data?: object): Promise<Outcome> => {
    const request = { method, path: `/api/rest/value${path}` };
    const answer = await sendRequest(agent, data ? { ...request, headers: JSON_API, body: jsonText({ data }) } : request);
    const { data: found } = parse(answer.text);
    const all = (Array.isArray(found) ? found : found === undefined ? [] : [found]) as readonly ResourceObject[];
    return outcome(
      answer,
      all[0]?.id,
      all[0]?.attributes,
      all.map(({ id }) => id),
    );
  };
  return {
    name: `REST, ${engine.name}`,
    engine,
    create: (attributes) => send('POST', '', { type: 'value', attributes }),
    update: (id, attributes) => send('PATCH', `/${id}`, { type: 'value', id, attributes }),
    read: (id) => send('GET', `/${id}`),
    findWhere: rpcRoad(engine).findWhere,
    find: (field, value) => send('GET', `?filter[${field}]=${encodeURIComponent(typeof value === 'string' ? value : jsonText(value))}`),
  };
}

function rpcRoad(engine: Engine): Road {
  const { agent } = engine.app;
  const send = async (method: 'GET' | 'POST' | 'PATCH', operation: string, args: object): Promise<Outcome> => {
    const path = `/api/rpc/value/${operation}`;
    const isRead = method === 'GET';
    const request = isRead
      ? { method, path: `${path}?q=${encodeURIComponent(jsonText(args))}` }
      : { method, path, headers: JSON_TYPE, body: jsonText(args) };
    const answer = await sendRequest(agent, request);
    const { data: found } = parse(answer.text);
    const all = (Array.isArray(found) ? found : found === undefined ? [] : [found]) as readonly { readonly id: number }[];
    return outcome(
      answer,
      all[0]?.id,
      { ...all[0] },
      all.map(({ id }) => id),
    );
  };
  return {
    name: `RPC, ${engine.name}`,
    engine,
    create: (data) => send('POST', 'create', { data }),
    update: (id, data) => send('PATCH', 'update', { where: { id }, data }),
    read: (id) => send('GET', 'findUniqueOrThrow', { where: { id } }),
    findWhere: (where) => send('GET', 'findMany', { where }),
    find: (field, value) => send('GET', 'findMany', { where: { [field]: { equals: value } } }),
  };
}

/** RPC through a relation: nested writes in a batch, and included records. */
function nestedRoad(engine: Engine): Road {
  const { agent } = engine.app;
  const rpc = rpcRoad(engine);
  const include = { values: { orderBy: { id: 'desc' } } };
  const send = async (method: 'GET' | 'POST', path: string, args: object, readsOne: (id: number) => boolean): Promise<Outcome> => {
    const query = method === 'GET' ? `?q=${encodeURIComponent(jsonText(args))}` : '';
    const body = method === 'POST' ? { headers: JSON_TYPE, body: jsonText(args) } : {};
    const answer = await sendRequest(agent, { method, path: `/api/rpc/${path}${query}`, ...body });
    const { data } = parse(answer.text) as { readonly data?: readonly { readonly values: readonly { readonly id: number }[] }[] };
    const row = data?.flatMap(({ values }) => values).find(({ id }) => readsOne(id));
    return outcome(answer, row?.id, { ...row }, []);
  };
  return {
    ...rpc,
    name: `RPC nested, ${engine.name}`,
    create: async (fields) => {
      const args = { where: { id: 2 }, data: { values: { create: fields } }, include };
      const made = await send('POST', '$transaction/sequential', [{ model: 'holder', op: 'update', args }], () => true);
      return { ...made, status: made.status === 200 ? 201 : made.status };
    },
    read: (id) => send('GET', 'holder/findMany', { include }, (one) => one === id),
  };
}

function outcome(
  { status, text }: { readonly status: number; readonly text: string },
  id = 0,
  fields: Readonly<Record<string, unknown>> = {},
  ids: readonly number[] = [],
): Outcome {
  return { status, id, fields, ids, text };
}

function parse(text: string): Body {
  return text.startsWith('{') ? (JSON.parse(text) as Body) : {};
}

/** Like `JSON.stringify`, but writes -0 with its sign. */
export function jsonText(value: unknown): string {
  if (Object.is(value, -0)) return '-0';
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`);
  return `{${members.join(',')}}`;
}

/** Returns equal texts for equal JSON values, because PostgreSQL sorts the members of objects. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`);
  return `{${members.sort().join(',')}}`;
}
