import { sample } from '../../support/sample.js';
import { openSchema, type OpenSchema } from '../../support/open-schema.js';
import type { Method } from '../../support/send-request.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

/** Returns a name of `length` characters. PostgreSQL truncates names to 63 bytes. */
const long = (start: string, length: number): string => start.padEnd(length, '_abcdefghi');

/** Lengths at which Prisma fails by itself, each with one at which it does not. */
const PAIRS = [
  [52, 51],
  [62, 50],
] as const;
const LENGTHS = PAIRS.flat();

/** Returns models, fields, enums and relations with names of a length: an owner, rows with its foreign key, and an implicit join table. */
function modelsOf(length: number): string {
  const [one, many, tag] = [long('One', length), long('Many', length), long('Tag', length)];
  return `model ${one} {
  id Int @id
  ${long('text', length)} String?
  ${long('list', length)} ${many}[]
  ${long('tags', length)} ${tag}[] @relation("${long('pairs', length)}")
}
model ${many} {
  id Int @id
  ${long('key', length)} Int?
  ${long('owner', length)} ${one}? @relation(fields: [${long('key', length)}], references: [id])
  ${long('color', length)} ${long('Color', length)} @default(RED)
}
model ${tag} {
  id Int @id
  ${long('owners', length)} ${one}[] @relation("${long('pairs', length)}")
}
enum ${long('Color', length)} {
  RED
  ${long('GREEN', length)}
}`;
}

const seedOf = (length: number): string => `
  INSERT INTO "${long('One', length)}" VALUES (1, 'a'), (2, NULL);
  INSERT INTO "${long('Many', length)}" VALUES (1, 1, 'RED'), (2, 1, '${long('GREEN', length)}'), (3, 2, 'RED'), (4, NULL, 'RED');
  INSERT INTO "${long('Tag', length)}" VALUES (1), (2), (3);
  INSERT INTO "_${long('pairs', length)}" VALUES (1, 1), (1, 2), (2, 2);`;

interface Attempt {
  readonly method: Method;
  readonly path: string;
  readonly body?: unknown;
}

const get = (path: string): Attempt => ({ method: 'GET', path });
const rpc = (model: string, operation: string, args: object): Attempt =>
  get(`/api/rpc/${model}/${operation}?q=${encodeURIComponent(JSON.stringify(args))}`);

function attemptsOf(length: number): readonly Attempt[] {
  const [one, many, tag] = ['one', 'many', 'tag'].map((name) => long(name, length)) as [string, string, string];
  const [list, tags, owner, owners] = ['list', 'tags', 'owner', 'owners'].map((name) => long(name, length)) as [
    string,
    string,
    string,
    string,
  ];
  const [text, color] = [long('text', length), long('color', length)];
  const counts = { _count: { select: { [list]: { where: { [color]: 'RED' } }, [tags]: true } } };
  const link = (path: string, type: string, id: number, method: Method): Attempt => ({ method, path, body: { data: [{ type, id }] } });
  return [
    get(`/api/rest/${one}/1/${list}`),
    get(`/api/rest/${one}/1/${list}?page[limit]=1&filter[${color}]=RED`),
    get(`/api/rest/${one}/1/relationships/${list}`),
    get(`/api/rest/${one}/1/relationships/${tags}`),
    get(`/api/rest/${tag}/2/${owners}?include=${tags}`),
    get(`/api/rest/${one}?include=${list},${tags}&includePage[${list}][limit]=1&includePage[${tags}][limit]=1`),
    get(`/api/rest/${one}?include=${list}.${owner}&sort=-${list}.$count`),
    get(`/api/rest/${one}?filter[${list}][${color}]=RED&sort=${text}`),
    get(`/api/rest/${many}?include=${owner}&sort=${owner}.${text},id`),
    link(`/api/rest/${one}/2/relationships/${list}`, many, 4, 'POST'),
    link(`/api/rest/${one}/2/relationships/${list}`, many, 4, 'DELETE'),
    link(`/api/rest/${one}/2/relationships/${tags}`, tag, 3, 'POST'),
    link(`/api/rest/${one}/2/relationships/${tags}`, tag, 2, 'PATCH'),
    rpc(one, 'findMany', { include: { _count: true } }),
    rpc(one, 'findMany', { select: counts }),
    rpc(one, 'findMany', { select: { id: true, ...counts, [list]: { orderBy: { id: 'asc' } } } }),
    rpc(one, 'findUnique', { where: { id: 1 }, include: counts }),
    rpc(one, 'findUnique', { where: { id: 9 }, include: counts }),
    rpc(many, 'findMany', { include: { [owner]: { include: { _count: true } } }, orderBy: { id: 'asc' } }),
    rpc(tag, 'findMany', { include: { [owners]: { include: { [list]: true, _count: true } }, _count: true } }),
    rpc(one, 'findMany', { orderBy: { [list]: { _count: 'desc' } }, where: { [tags]: { some: { id: 2 } } } }),
    rpc(many, 'groupBy', {
      by: [color],
      _count: true,
      having: { [color]: { in: ['RED', long('GREEN', length)] } },
      orderBy: { [color]: 'asc' },
    }),
    { method: 'PATCH', path: `/api/rpc/${one}/update`, body: { where: { id: 1 }, data: { [text]: 'b' }, include: { _count: true } } },
    { method: 'POST', path: `/api/rpc/${one}/upsert`, body: { where: { id: 1 }, update: {}, create: { id: 1 }, select: counts } },
    {
      method: 'POST',
      path: `/api/rpc/${many}/create`,
      body: { data: { id: 10, [owner]: { connect: { id: 1 } } }, include: { [owner]: { include: { _count: true } } } },
    },
    { ...rpc(many, 'delete', { where: { id: 10 }, include: { [owner]: { include: { _count: true } } } }), method: 'DELETE' },
  ];
}

onPlatforms('names of up to 63 bytes, the maximum of PostgreSQL', (platform) => {
  let database: OpenSchema;
  let apps: readonly TestApp[];

  beforeAll(async () => {
    database = await openSchema({ name: 'long_names', models: LENGTHS.map(modelsOf).join('\n'), sql: LENGTHS.map(seedOf).join('\n') });
    const { schema, prisma, inSql } = database;
    const rules = { '*': { '*': { id: { gt: 0 } } } };
    apps = await Promise.all(
      [{}, { rules }].flatMap((more) =>
        [prisma, inSql].map((client) => startTestApp({ platform, options: { schema, getClient: () => client, ...more } })),
      ),
    );
  }, 60_000);
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await database.close();
  });

  async function send({ agent }: TestApp, { method, path, body }: Attempt): Promise<readonly [status: number, text: string]> {
    const type = path.startsWith('/api/rest') ? 'application/vnd.api+json' : 'application/json';
    const sending = agent[method.toLowerCase() as 'get'](path);
    const { status, text } = await (body === undefined ? sending : sending.set('Content-Type', type).send(JSON.stringify(body)));
    return [status, text];
  }

  const rows = PAIRS.flatMap(([length, other]) => {
    const others = attemptsOf(other);
    return attemptsOf(length).flatMap((attempt, index) => {
      const text = `${attempt.method} ${decodeURIComponent(attempt.path).slice(0, 160)}`;
      return others.slice(index, index + 1).map((one) => ({ length, text, attempt, other: one }));
    });
  });

  it.each(sample.oneIn(4, rows))('of $length characters work like shorter ones: $text', async ({ attempt, other }) => {
    const nameless = (text: string): string => text.replace(/_abcdefghi[a-j_]*…?/g, '');
    for (const app of apps) {
      const [status, text] = await send(app, attempt);
      const [wantedStatus, wanted] = await send(app, other);
      expect([status, nameless(text)]).toEqual([wantedStatus, nameless(wanted)]);
      expect(status < 500 ? '' : text).toBe('');
    }
  });

  it.each(['aggregate', 'count', 'groupBy'])(
    'are rejected with the reason in aggregates that Prisma cannot read: %s',
    async (operation) => {
      const [model, text] = [long('one', 62), long('text', 62)];
      const args = {
        aggregate: { _min: { [text]: true } },
        count: { select: { [text]: true } },
        groupBy: { by: [text], _count: { [text]: true } },
      }[operation];
      for (const { rpc: client } of apps) {
        const { status, error } = await client.call(`${model}/${operation}`, args);
        expect([status, error.message]).toEqual([400, expect.stringContaining('cannot be aggregated: Prisma needs a column name of ')]);
        const { status: allowed } = await client.call(`${model}/groupBy`, { by: [text], orderBy: { _count: { [text]: 'asc' } } });
        expect(allowed).toBe(200);
      }
    },
  );
});
