import { sample } from '../../support/sample.js';
import { openSchema, type OpenSchema } from '../../support/open-schema.js';
import type { Method } from '../../support/send-request.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

/** Names that Prisma's engine reads as its connectives, in any letter case. */
const CONNECTIVES = ['and', 'And', 'aND', 'AND', 'or', 'Or', 'oR', 'OR', 'not', 'Not', 'noT', 'NOT'];

/** Words of Prisma's arguments, of JSON:API and of JavaScript's objects. */
const OTHERS = [
  ...['is', 'isNot', 'in', 'some', 'every', 'none', 'set', 'path', 'mode', 'null', 'equals', 'has', 'gt', 'contains', 'search', 'nulls'],
  ...['select', 'include', 'omit', 'where', 'take', 'skip', 'orderBy', 'cursor', 'distinct', 'data', 'create', 'connect', 'delete', 'by'],
  ...['then', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', 'prototype', 'length', 'arguments', 'sort', 'fields', 'page', 'meta'],
];

/** Returns a model whose fields have these names, and one that references it. */
function modelsOf(model: string, names: readonly string[]): string {
  return `model ${model} {
  id Int @id
  ${names.map((name) => `${name} String?`).join('\n  ')}
  kids ${model}Kid[]
}
model ${model}Kid {
  id Int @id
  gateId Int?
  gate ${model}? @relation(fields: [gateId], references: [id])
}`;
}

/** A model with a relation for each such name. */
const RELATIONS = ['and', 'Or', 'not'].map((name) => {
  return `model Rel${name} {
  id Int @id
  ${name}Id Int?
  ${name} Rel${name}? @relation("${name}", fields: [${name}Id], references: [id])
  list Rel${name}[] @relation("${name}")
}`;
});

/** Keys with such names. */
const KEYS = `model Keyed {
  or Int @id
  and String @unique
  text String?
  notId Int?
  not Keyed? @relation("tree", fields: [notId], references: [or])
  kids Keyed[] @relation("tree")
}`;

/** The names in other letter cases, because a model with fields called AND, OR and NOT has no connective. */
const LOWER = CONNECTIVES.filter((name) => name !== name.toUpperCase());
const UPPER = CONNECTIVES.filter((name) => name === name.toUpperCase());

const seed = (model: string, names: readonly string[]): string =>
  `INSERT INTO "${model}" VALUES ${[1, 2, 3].map((id) => `(${id}, ${names.map(() => (id === 3 ? 'NULL' : `'x${id}'`)).join(', ')})`).join(', ')};
   INSERT INTO "${model}Kid" VALUES (1, 1), (2, 2), (3, NULL);`;

const SCHEMA = {
  name: 'hostile_names',
  models: [modelsOf('Lower', LOWER), modelsOf('Upper', UPPER), modelsOf('Other', OTHERS), ...RELATIONS, KEYS].join('\n'),
  sql: `${seed('Lower', LOWER)} ${seed('Upper', UPPER)} ${seed('Other', OTHERS)}
    INSERT INTO "Keyed" VALUES (1, 'a', 'x', NULL), (2, 'b', NULL, 1);
    ${['and', 'Or', 'not'].map((name) => `INSERT INTO "Rel${name}" VALUES (1, NULL), (2, 1), (3, 1);`).join(' ')}`,
};

interface Attempt {
  readonly method: Method;
  readonly path: string;
  readonly body?: unknown;
}

const get = (path: string): Attempt => ({ method: 'GET', path });
const rpc = (model: string, operation: string, args: object): Attempt =>
  get(`/api/rpc/${model}/${operation}?q=${encodeURIComponent(JSON.stringify(args))}`);

/** Returns filters on a field, at every place of a filter. */
function filtersOf(model: string, name: string): readonly Attempt[] {
  const where = { [name]: 'x1' };
  return [
    get(`/api/rest/${model}?filter[${name}$ne]=x1`),
    get(`/api/rest/${model}?filter[${name}$null]=true`),
    get(`/api/rest/${model}?filter[kids][gate][${name}$in]=x1,x2`),
    get(`/api/rest/${model}Kid?filter[gate][${name}$icontains]=x`),
    rpc(model, 'findMany', { where }),
    rpc(model, 'findMany', { where: { [name]: { in: ['x1'] } } }),
    rpc(model, 'findMany', { where: { [name]: { not: null } } }),
    rpc(model, 'findFirst', { where: { id: { gt: 0 }, [name]: { contains: 'x' } } }),
    rpc(model, 'findUnique', { where: { id: 1, [name]: 'x1' } }),
    rpc(model, 'count', { where }),
    rpc(model, 'aggregate', { where, _count: true }),
    rpc(model, 'groupBy', { by: [name], having: where }),
    rpc(model, 'groupBy', { by: [name], having: { [name]: { _max: { equals: 'x1' } } } }),
    rpc(`${model}Kid`, 'findMany', { where: { gate: where } }),
    rpc(`${model}Kid`, 'findMany', { where: { gate: { isNot: where } } }),
    rpc(model, 'findMany', { include: { kids: { where: { gate: where } } } }),
    rpc(model, 'findMany', { select: { _count: { select: { kids: { where: { gate: where } } } } } }),
    { method: 'PATCH', path: `/api/rpc/${model}/updateMany`, body: { where: { ...where, id: 99 }, data: { [name]: 'y' } } },
    { method: 'PATCH', path: `/api/rpc/${model}/update`, body: { where: { id: 1, ...where }, data: { [name]: 'x1' } } },
    { ...rpc(model, 'deleteMany', { where: { ...where, id: 99 } }), method: 'DELETE' },
  ];
}

/** Returns requests without a filter, which succeed with every name. */
function othersOf(model: string, name: string): readonly Attempt[] {
  return [
    get(`/api/rest/${model}?sort=${name}`),
    get(`/api/rest/${model}?sort=-${name},id&page[limit]=2`),
    get(`/api/rest/${model}?fields[${model}]=${name}`),
    get(`/api/rest/${model}Kid?sort=gate.${name}&include=gate`),
    rpc(model, 'findMany', { orderBy: { [name]: 'asc' } }),
    rpc(model, 'findMany', { orderBy: [{ [name]: { sort: 'desc', nulls: 'last' } }], take: 2 }),
    rpc(model, 'findMany', { orderBy: [{ [name]: 'asc' }, { id: 'asc' }], take: 2, cursor: { id: 2 } }),
    rpc(model, 'findMany', { distinct: [name], orderBy: { [name]: 'asc' }, select: { [name]: true } }),
    rpc(model, 'groupBy', { by: [name], _count: true, orderBy: { [name]: 'asc' } }),
    rpc(model, 'aggregate', { _min: { [name]: true }, _count: { [name]: true } }),
    rpc(`${model}Kid`, 'findMany', { orderBy: [{ gate: { [name]: 'asc' } }, { id: 'asc' }] }),
    { method: 'PATCH', path: `/api/rpc/${model}/update`, body: { where: { id: 1 }, data: { [name]: 'x1' } } },
    { method: 'PATCH', path: `/api/rpc/${model}/updateMany`, body: { where: { id: 1 }, data: { [name]: 'x1' } } },
    { method: 'PUT', path: `/api/rest/${model}/1`, body: { data: { type: model, id: 1, attributes: { [name]: 'x1' } } } },
  ];
}

onPlatforms('members with hostile names', (platform) => {
  let database: OpenSchema;
  let apps: readonly TestApp[];
  const broken: unknown[] = [];

  beforeAll(async () => {
    database = await openSchema(SCHEMA);
    const { schema, prisma, inSql } = database;
    const onClientBroken = (_: object, error: unknown): void => void broken.push(error);
    apps = await Promise.all(
      [prisma, inSql].map((client) => startTestApp({ platform, options: { schema, getClient: () => client, onClientBroken } })),
    );
  }, 60_000);
  afterEach(() => void broken.splice(0));
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await database.close();
  });

  /** Sends a request to both engines, expects equal responses, and returns one. */
  async function sendToBoth({ method, path, body }: Attempt): Promise<{ readonly status: number; readonly text: string }> {
    const answers: { readonly status: number; readonly text: string }[] = [];
    for (const { agent } of apps) {
      const sending = agent[method.toLowerCase() as 'get'](path);
      if (path.startsWith('/api/rest') && body !== undefined) void sending.set('Content-Type', 'application/vnd.api+json');
      const { status, text } = await (body === undefined
        ? sending
        : sending
            .send(JSON.stringify(body))
            .set('Content-Type', path.startsWith('/api/rest') ? 'application/vnd.api+json' : 'application/json'));
      answers.push({ status, text });
    }
    const [byPrisma, bySql] = answers;
    expect({ path, body, ...bySql }).toEqual({ path, body, ...byPrisma });
    return byPrisma as { readonly status: number; readonly text: string };
  }

  async function statusesOf(attempts: readonly Attempt[], isWanted: (status: number, text: string) => boolean): Promise<unknown[]> {
    const strange: unknown[] = [];
    for (const attempt of attempts) {
      const { status, text } = await sendToBoth(attempt);
      if (!isWanted(status, text)) strange.push({ path: decodeURIComponent(attempt.path), body: attempt.body, status, text });
    }
    return strange;
  }

  const isDone = (status: number): boolean => status === 200;
  const isFilterRefused = (status: number, text: string): boolean =>
    status === 400 && /cannot be filtered by|may not be used to filter/.test(text);

  it.each(sample.oneIn(8, [...LOWER.map((name) => ['lower', name] as const), ...UPPER.map((name) => ['upper', name] as const)]))(
    '%s.%s: filters are rejected with a reason, and other requests succeed',
    async (model, name) => {
      expect(await statusesOf(filtersOf(model, name), isFilterRefused)).toEqual([]);
      expect(await statusesOf(othersOf(model, name), isDone)).toEqual([]);
      expect(
        await statusesOf(
          [get(`/api/rest/${model}?sort=${name}&page[size]=1`)],
          (status, text) => status === 400 && text.includes('invalid-sort'),
        ),
      ).toEqual([]);
      expect(
        await statusesOf(
          [get(`/api/rest/${model}Kid?sort=gate.${name}&page[size]=1`)],
          (status, text) => status === 400 && text.includes('invalid-sort'),
        ),
      ).toEqual([]);
      expect(broken).toEqual([]);
    },
  );

  it.each(sample.oneIn(8, OTHERS).map((name) => [name]))('other.%s works like any field', async (name) => {
    expect(await statusesOf([...filtersOf('other', name), ...othersOf('other', name)], isDone)).toEqual([]);
    let path: string | undefined = `/api/rest/other?sort=-${name}&page[size]=1`;
    const found: unknown[] = [];
    while (path !== undefined && found.length < 9) {
      const { status, text } = await sendToBoth(get(path));
      expect(status).toBe(200);
      const page = JSON.parse(text) as { data: { id: number }[]; links: { next?: string } };
      found.push(...page.data.map(({ id }) => id));
      path = page.links.next && page.data.length > 0 ? page.links.next.slice('http://api.test'.length) : undefined;
    }
    expect([...found].sort()).toEqual([1, 2, 3]);
    expect(broken).toEqual([]);
  });

  it.each([['and'], ['Or'], ['not']])('relations called %s can be read, and are rejected in filters', async (name) => {
    const model = `rel${name}`;
    const refused = [
      rpc(model, 'findMany', { where: { [name]: { is: { id: 1 } } } }),
      rpc(model, 'findMany', { where: { [name]: null } }),
      rpc(model, 'findMany', { where: { list: { some: { [name]: { id: 1 } } } } }),
      get(`/api/rest/${model}?filter[${name}][id$gt]=1`),
    ];
    const answered = [
      rpc(model, 'findMany', { include: { [name]: { include: { list: true } }, list: true, _count: true } }),
      rpc(model, 'findMany', { orderBy: [{ [name]: { id: 'asc' } }, { id: 'asc' }] }),
      rpc(model, 'findMany', { where: { list: { some: { id: 2 } } } }),
      get(`/api/rest/${model}?include=${name},list&sort=id`),
      get(`/api/rest/${model}/2/${name}`),
      get(`/api/rest/${model}/1/list`),
      get(`/api/rest/${model}/1/relationships/list?sort=id`),
      { method: 'PATCH', path: `/api/rest/${model}/2/relationships/${name}`, body: { data: { type: model, id: 1 } } },
      { method: 'POST', path: `/api/rest/${model}/1/relationships/list`, body: { data: [{ type: model, id: 3 }] } },
    ] as const;
    expect(await statusesOf(refused, isFilterRefused)).toEqual([]);
    expect(await statusesOf(answered, isDone)).toEqual([]);
    expect(broken).toEqual([]);
  });

  it.each([['and'], ['Or'], ['not']])(
    'a rule on a relation called %s matches no row, because Prisma would read it as a connective',
    async (name) => {
      const { schema, prisma, inSql } = database;
      for (const client of [prisma, inSql]) {
        const rules = { '*': { read: () => ({ [name]: { is: { id: 1 } } }) } };
        const app = await startTestApp({ platform, options: { schema, getClient: () => client, rules } });
        const { status, text } = await app.agent.get(`/api/rpc/rel${name}/findMany`);
        await app.close();
        expect([status, text]).toEqual([500, expect.stringContaining('An unexpected error occurred.')]);
      }
    },
  );

  it('a unique field with the name of a connective selects one record', async () => {
    const answered = [
      get('/api/rest/keyed?sort=text'),
      get('/api/rest/keyed/1'),
      get('/api/rest/keyed/2/not'),
      get('/api/rest/keyed/1/kids'),
      get('/api/rest/keyed/1?include=kids'),
      { method: 'PUT', path: '/api/rest/keyed/2', body: { data: { type: 'keyed', id: 2, attributes: { text: 'z' } } } },
      rpc('keyed', 'findMany', { include: { kids: true, not: true } }),
    ] as const;
    expect(await statusesOf(answered, isDone)).toEqual([]);
    expect(broken).toEqual([]);
  });
});
