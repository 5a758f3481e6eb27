import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type TestDatabase, openTestDatabase } from '../../support/database.js';
import { type Method, sendRequest } from '../../support/send-request.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** The ways in which libraries write the members of an object as parameters: qs, axios and jQuery; qs with `allowDots`; lists of PHP and of axios. */
const FORMS: Readonly<Record<string, (path: readonly string[]) => string>> = {
  brackets: ([base = '', ...path]) => base + path.map((key) => `[${key}]`).join(''),
  dots: (path) => path.join('.'),
  lists: ([base = '', ...path]) => base + path.map((key) => `[${/^\d+$/.test(key) ? '' : key}]`).join(''),
  dotted: ([base = '', first = '', ...path]) => `${base}.${first}${path.map((key) => `[${key}]`).join('')}`,
};

const leavesOf = (value: Json, path: readonly string[]): (readonly [readonly string[], string])[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, item]: [string, Json]) => leavesOf(item, [...path, key]))
    : [[path, String(value)]];

/** Functions that percent-encode different parts of a name. */
const ENCODINGS: readonly ((name: string) => string)[] = [
  (name) => name,
  encodeURIComponent,
  (name) => name.replaceAll('[', '%5B').replaceAll(']', '%5D').replaceAll('.', '%2E'),
  (name) => name.replaceAll('[', '%5b'),
];

const condition: fc.Arbitrary<Json> = fc.oneof(
  fc.record({ where: fc.record({ title: fc.constantFrom('Bob', 'x') }) }),
  fc.record({ where: fc.record({ id: fc.record({ in: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }) }) }) }),
  fc.record({ take: fc.constantFrom(1, 2), where: fc.record({ OR: fc.constant([{ id: 1 }, { title: 'x' }]) }) }),
);
const serialization: fc.Arbitrary<Json> = fc.record({
  serialization: fc.record({ values: fc.record({ 'where.id': fc.constant(['bigint']) }) }),
});

/** An argument as query parameters: as parts in brackets, or each member as a parameter. */
const search = fc
  .tuple(
    fc.oneof(
      condition.map((value) => leavesOf(value, ['q'])),
      serialization.map((value) => leavesOf(value, ['meta'])),
      condition.map((value) => leavesOf(value, ['Q'])),
      condition.map((value) => leavesOf(value, [])),
      condition.map((value) => leavesOf(value, ['args'])),
    ),
    fc.constantFrom(...Object.values(FORMS)),
    fc.constantFrom(...ENCODINGS),
    fc.constantFrom('', '_=1&', 'utm_source=x&'),
  )
  .map(
    ([leaves, form, encode, before]) =>
      before + leaves.map(([path, text]) => `${encode(form(path))}=${encodeURIComponent(text)}`).join('&'),
  );

/** Parameters that no library generates from an object. */
const OTHERS = [
  'q[]=1',
  'q[=1',
  'q]=1',
  'q.=1',
  'q:where=1',
  'q%20=%7B%7D',
  '%20q=%7B%7D',
  '+q=%7B%7D',
  'q%5B%5D=1',
  'meta[]',
  'meta.',
  'q%00=1',
  'where[]=1',
  'q=%5Bobject%20Object%5D',
];

const CALLS: readonly (readonly [Method, string])[] = [
  ...['findMany', 'findFirst', 'count', 'aggregate', 'findUnique'].map((operation): [Method, string] => ['GET', operation]),
  ['DELETE', 'deleteMany'],
  ['DELETE', 'delete'],
  ['POST', 'create'],
  ['PATCH', 'updateMany'],
];

onPlatforms('an argument that is not one JSON text', (platform) => {
  let database: TestDatabase;
  let app: TestApp;
  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform, database });
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  async function expectRefused(method: Method, operation: string, query: string): Promise<void> {
    const body = method === 'POST' || method === 'PATCH' ? { body: '{"data":{}}', headers: { 'Content-Type': 'application/json' } } : {};
    const { status, text } = await sendRequest(app.agent, { method, path: `/api/rpc/post/${operation}?${query}`, ...body });
    expect({ query, status, text }).toEqual({
      query,
      status: 400,
      text: expect.stringMatching(/There is no query parameter|JSON|must be absent/) as unknown,
    });
  }

  it.each(CALLS)('is rejected, and not ignored: %s %s', async (method, operation) => {
    await fc.assert(
      fc.asyncProperty(search, (query) => expectRefused(method, operation, query)),
      { numRuns: 20 },
    );
    for (const query of OTHERS) await expectRefused(method, operation, query);
    expect(await database.prisma.post.count()).toBe(12);
  });

  it('is rejected with the right syntax in the message', async () => {
    const messageOf = async (query: string): Promise<unknown> =>
      (JSON.parse((await sendRequest(app.agent, { method: 'GET', path: `/api/rpc/post/findMany?${query}` })).text) as { message: unknown })
        .message;
    expect(await messageOf('q[where][title]=Bob')).toBe(
      `There is no query parameter 'q[where][title]'. Send the argument as one JSON text: q={"where":…}.`,
    );
    expect(await messageOf('take[x]=1')).toBe(`There is no query parameter 'take[x]'. Send the argument as one JSON text: q={"take":…}.`);
    expect(await messageOf('meta.serialization=1')).toMatch(/Send the metadata as one JSON text/);
  });

  it.each(['_=1', 'utm_source=x', 'utm_source[x]=1', 'x-y=1', '_[q]=1'])(
    'does not include %s, which is ignored as a parameter of caches and gateways',
    async (query) => {
      expect((await app.rpc.call(`post/findMany?${query}`)).status).toBe(200);
    },
  );
});
