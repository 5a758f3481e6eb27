import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { callOf, post, startMcpApp } from '../../support/mcp.js';
import { IS_LONG } from '../../support/long.js';
import { onPlatforms, type TestApp } from '../../support/test-app.js';
import { GRANTED_RESOURCES, GRANTS } from '../grants/support/granted-resources.js';
import { RULES } from '../rules/rules.js';
import { randomJson, randomName } from '../security/support/hostile/hostile-values.js';
import { Random } from '../security/support/hostile/random.js';

const COUNT = Number(process.env['RANDOM_REQUESTS'] ?? (IS_LONG ? 2000 : 200));
const SEED = Number(process.env['RANDOM_SEED'] ?? 1) * 1_000_000;

const MODELS = ['user', 'post', 'comment', 'tag', 'category', 'order', 'orderLine', 'apiToken', 'profile'];
const FIELDS = [
  'id',
  'name',
  'title',
  'email',
  'passwordHash',
  'recoveryCode',
  'loginCount',
  'authorId',
  'published',
  'pin',
  'secret',
  'total',
];
const RELATIONS = ['author', 'posts', 'comments', 'reviewer', 'tokens', 'orders', 'tags', 'user', 'category'];
const CALLERS: readonly Record<string, string>[] = [
  {},
  { 'x-user-id': '2' },
  { 'x-user-id': '3', 'x-grants': 'hr' },
  { 'x-grants': 'admin' },
];

/** Values that no caller without grants may read. */
const HIDDEN = expect.stringMatching(/Hash\\?":|ADA-RECOVERY/) as unknown;

type Args = Record<string, unknown>;

function valueOf(random: Random): unknown {
  if (random.chance(0.15)) return parsed(randomJson(random));
  return random.pick([1, 2, 3, -1, 2 ** 53 + 2, '9007199254740993', true, null, 'Ada', '%', 'a', '2026-01-01T00:00:00Z', {}, []]);
}

/** Texts of the generator may be no JSON, because others send them as they are. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function fieldOf(random: Random): string {
  return random.chance(0.08) ? randomName(random) : random.pick(FIELDS);
}

function whereOf(random: Random, depth = 0): Args {
  const dice = random.below(8);
  if (dice < 2 && depth < 4) return { [random.pick(['AND', 'OR', 'NOT'])]: [whereOf(random, depth + 1), whereOf(random, depth + 1)] };
  if (dice === 2 && depth < 4) return { [random.pick(RELATIONS)]: { [random.pick(['some', 'is', 'none'])]: whereOf(random, depth + 1) } };
  if (dice === 3) return { [fieldOf(random)]: valueOf(random) };
  const operator = random.pick(['equals', 'not', 'in', 'gt', 'lte', 'contains', 'startsWith']);
  return { [random.chance(0.6) ? 'id' : fieldOf(random)]: { [operator]: operator === 'in' ? [1, 2, 3] : valueOf(random) } };
}

/** Returns a model whose name is valid in a path of RPC. */
function modelOf(random: Random): string {
  const name = random.chance(0.05) ? randomName(random) : random.pick(MODELS);
  return /^[\w$]{1,200}$/.test(name) ? name : 'nothing';
}

/** Returns a random subset of members. */
function some(random: Random, members: Readonly<Record<string, () => unknown>>, share = 0.35): Args {
  return Object.fromEntries(Object.entries(members).flatMap(([name, make]) => (random.chance(share) ? [[name, make()]] : [])));
}

function findArgs(random: Random): Args {
  return some(random, {
    where: () => whereOf(random),
    orderBy: () => ({ [fieldOf(random)]: random.pick(['asc', 'desc']) }),
    skip: () => random.below(4),
    take: () => random.pick([1, 2, 5, 50]),
    [random.pick(['select', 'include'])]: () => ({ [random.chance(0.5) ? random.pick(RELATIONS) : fieldOf(random)]: true }),
  });
}

function aggregateArgs(random: Random, operation: string): Args {
  const where = some(random, { where: () => whereOf(random) });
  if (operation === 'count') return where;
  const values = { [random.pick(['_count', '_max', '_min', '_sum'])]: { [fieldOf(random)]: true } };
  if (operation === 'aggregate') return { ...where, ...values };
  const by = fieldOf(random);
  return { ...where, ...values, by: [by], orderBy: { [by]: 'asc' } };
}

function writeArgs(random: Random): Args {
  const operation = random.pick(['create', 'update', 'updateMany', 'delete', 'deleteMany', 'upsert', 'findMany', fieldOf(random)]);
  const data = {
    [fieldOf(random)]: valueOf(random),
    ...some(random, { name: () => 'x', [random.pick(RELATIONS)]: () => ({ deleteMany: {} }) }),
  };
  const args = { where: random.chance(0.5) ? { id: random.below(6) } : whereOf(random), data, create: data, update: data };
  return { operations: [{ model: modelOf(random), operation, args }], ...some(random, { maxAffected: () => random.below(3) }) };
}

interface Sent {
  readonly tool: string;
  readonly args: Args;
  /** The equivalent call of RPC, if it reads. */
  readonly rpc?: { readonly path: string; readonly args: Args };
}

function draw(random: Random): Sent {
  const model = modelOf(random);
  const dice = random.below(10);
  if (dice < 5) {
    const args = findArgs(random);
    const rpc = { path: `${encodeURIComponent(model)}/findMany`, args: { ...args, take: Number(args['take'] ?? 50) + 1 } };
    return { tool: 'find', args: { model, ...args }, rpc };
  }
  if (dice < 8) {
    const operation = random.pick(['count', 'aggregate', 'groupBy']);
    const args = aggregateArgs(random, operation);
    return { tool: 'aggregate', args: { model, operation, args }, rpc: { path: `${encodeURIComponent(model)}/${operation}`, args } };
  }
  if (dice === 8) return { tool: 'write', args: writeArgs(random) };
  return {
    tool: random.pick(['describe', 'act', randomName(random)]),
    args: { model, ...some(random, { action: () => randomName(random) }) },
  };
}

onPlatforms('random calls of MCP', (platform) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startMcpApp({ platform, database, options: { resources: GRANTED_RESOURCES, grants: GRANTS, rules: RULES } });
  }, 60_000);
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  const throughRpc = async ({ path, args }: NonNullable<Sent['rpc']>, headers: Record<string, string>): Promise<[number, unknown]> => {
    const method = { 'x-http-method-override': 'QUERY', 'content-type': 'application/json' };
    const response = await fetch(`${app.url}/api/rpc/${path}`, {
      method: 'POST',
      headers: { ...headers, ...method },
      body: JSON.stringify(args),
    });
    const { data, message } = (await response.json()) as { readonly data?: unknown; readonly message?: unknown };
    return [response.status, response.status < 400 ? data : message];
  };
  const dump = async (): Promise<unknown> => {
    const { user, post: posts, comment, tag, order } = database.prisma;
    return [await user.findMany(), await posts.findMany(), await comment.findMany(), await tag.findMany(), await order.count()].map(
      (rows) => JSON.stringify(rows),
    );
  };

  /** Sends one call, and returns whether RPC returns the same to the same caller. */
  const compare = async (seed: number): Promise<boolean> => {
    const random = new Random(seed);
    const sent = draw(random);
    const headers = random.pick(CALLERS);
    const { status, body } = await post(app, callOf(sent.tool, sent.args), headers);
    expect({ seed, status }).toEqual({ seed, status: 200 });
    const { structuredContent = {}, isError } = body?.result ?? {};
    expect({ seed, isFault: Number(structuredContent['status'] ?? 0) >= 500 }).toEqual({ seed, isFault: false });
    if (headers['x-grants'] === undefined) expect({ seed, text: JSON.stringify(body) }).not.toMatchObject({ text: HIDDEN });
    return sent.rpc ? compareResults({ seed, ...sent, rpc: sent.rpc }, { structuredContent, isError }, headers) : false;
  };
  const compareResults = async (
    { seed, tool, args, rpc }: Required<Sent> & { readonly seed: number },
    { structuredContent, isError }: { readonly structuredContent: Args; readonly isError: boolean | undefined },
    headers: Record<string, string>,
  ): Promise<boolean> => {
    const [code, given] = await throughRpc(rpc, headers);
    const shown = tool === 'find' && code < 400 ? (given as unknown[]).slice(0, Number(args['take'] ?? 50)) : given;
    const member = tool === 'find' ? 'rows' : 'result';
    expect({ seed, isError, shown: structuredContent[code >= 400 ? 'message' : member] }).toEqual({ seed, isError: code >= 400, shown });
    return code < 400;
  };

  it(`${COUNT} return the same as RPC to the same caller, change nothing, and cause no 500`, async () => {
    await database.reset();
    const before = await dump();
    let successes = 0;
    for (let seed = SEED; seed < SEED + COUNT; seed++) if (await compare(seed)) successes++;
    expect(successes).toBeGreaterThan(COUNT / 20);
    expect(await dump()).toEqual(before);
  }, 600_000);
});
