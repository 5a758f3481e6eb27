import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { resourceSchema } from '../../support/generated/values/resource-schema.js';
import { sample } from '../../support/sample.js';
import { startTestApp } from '../../support/test-app.js';
import { canonicalText, type Road, useValueRoads } from './value-roads.js';

const KEYS = [
  ...['__proto__', 'constructor', 'prototype', 'toJSON', 'toString', 'hasOwnProperty', '$type', 'value', 'values', '_getName'],
  ...['', 'a.b', 'meta', 'data', 'set', 'push', 'equals', 'path', 'DbNull', 'json', '0', 'length', '__prismaRawParameters__'],
];

const TEXTS = [
  ...[
    '',
    'DbNull',
    'JsonNull',
    'AnyNull',
    'null',
    'NaN',
    'Infinity',
    '-0',
    'DateTime',
    'Json',
    'Raw',
    '2026-01-02T03:04:05.678Z',
    '"',
    '\\',
  ],
  ...['{}', '[]', '{"a":1}', '\u2028', '😀', 'é', '\u0001', '\u0000', '\ud800', '%', '$1', "'"],
];

const NUMBERS = [
  ...[0, -0, 1, -1, 0.1, 0.30000000000000004, 1234567890123456.7, 123456789.123456789, 2 ** 53, 2 ** 53 + 2, 2 ** 63, -(2 ** 63), 2 ** 64],
  ...[12345678901234567000, 1e21, 1e-7, 5e-324, 2.2250738585072014e-308, Number.MAX_VALUE, -Number.MAX_VALUE, 1e16, 999999999999999.9],
];

const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    { weight: 3, arbitrary: fc.constantFrom(...NUMBERS) },
    { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
    { weight: 1, arbitrary: fc.integer() },
    { weight: 2, arbitrary: fc.constantFrom(...TEXTS) },
    { weight: 1, arbitrary: fc.string() },
    { weight: 1, arbitrary: fc.constantFrom(true, false, null) },
    { weight: 2, arbitrary: fc.array(tie('json'), { maxLength: 3 }) },
    {
      weight: 3,
      arbitrary: fc.array(fc.tuple(fc.oneof(fc.constantFrom(...KEYS), fc.string()), tie('json')), { maxLength: 3 }).map(objectOf),
    },
  ),
}));

/** Own members, `__proto__` among them, as `JSON.parse` makes them. */
function objectOf(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries);
}

const NUMBER = 0.30000000000000004;
const FOUND = objectOf([
  ...Object.entries({ n: NUMBER, l: [NUMBER, 'DbNull'], t: 'JsonNull', o: objectOf([['__proto__', 1]]) }),
  ['__proto__', { x: 1 }],
]);

const RUNS = { numRuns: sample.choose(10, 60) };

describe('Json values', () => {
  const { roads, roadNamed, database, engines } = useValueRoads();

  /** Writes by one style and engine, and reads by all of them. */
  async function expectKept(road: Road, fields: Readonly<Record<string, unknown>>): Promise<void> {
    const before = await database().prisma.value.count();
    const created = await road.create(fields);
    const about = `${road.name} ${canonicalText(fields)}: ${created.text}`;
    if (created.status !== 201) {
      expect([created.status, about]).toEqual([400, about]);
      expect(created.text).toContain('must be a JSON value');
      expect(isRefused(fields)).toBe(true);
      expect(await database().prisma.value.count()).toBe(before);
      return;
    }
    for (const name of Object.keys(fields)) {
      const expected = `${about}\n${canonicalText(fields[name])}`;
      expect(`${about}\n${canonicalText(created.fields[name])}`).toBe(expected);
      for (const reader of roads()) {
        if (reader.name.includes('nested') && !road.name.includes('nested')) continue;
        expect(`${about}\n${canonicalText((await reader.read(created.id)).fields[name])}`).toBe(expected);
      }
    }
  }

  it('are returned as they were written by every style and engine, or rejected', async () => {
    await fc.assert(
      fc.asyncProperty(json, fc.array(json, { maxLength: 3 }), fc.nat(14), async (value, jsons, index) => {
        const road = roads()[index];
        if (road) await expectKept(road, { json: value, jsons });
      }),
      RUNS,
    );
  }, 600_000);

  it.each(sample.oneIn(4, NUMBERS))('with the number %d as the root are updated without rounding', async (number) => {
    for (const road of roads()) {
      await road.update(1, { json: number, requiredJson: number, textJson: number, jsons: [number, { a: [number] }] });
      for (const reader of roads()) {
        const { json: root, requiredJson, textJson, jsons } = (await reader.read(1)).fields;
        const same = canonicalText(number);
        expect([root, requiredJson, textJson, jsons].map(canonicalText)).toEqual([same, same, same, `[${same},{"a":[${same}]}]`]);
      }
    }
  });

  it.each(['\0', '\ud800'])('with the character %j, which no database stores, are rejected with their path', async (character) => {
    const values = [character, { a: [character] }, objectOf([[character, 1]])];
    for (const { app } of engines()) {
      for (const json of values) {
        const { errors } = await app.rest.post('/value', { data: { type: 'value', attributes: { json } } });
        expect(errors).toMatchObject([{ status: 400, source: { pointer: '/data/attributes/json' } }]);
        const { status, error } = await app.rpc.call('value/create', { data: { json } });
        expect({ status, error }).toMatchObject({ status: 400, error: { problems: [{ path: 'data.json' }] } });
      }
    }
  });

  it('are stored with the changes of a query extension', async () => {
    const extended = database().prisma.$extends({
      query: {
        value: {
          create: ({ args, query }) => {
            for (const json of args.data?.jsons as { secret?: unknown }[]) delete json.secret;
            return query(args);
          },
        },
      },
    });
    const app = await startTestApp({ platform: 'fastify', options: { schema: resourceSchema, getClient: () => extended } });
    const jsons = [{ secret: 1, kept: NUMBER }];
    const { data } = await app.rpc.call('value/create', { data: { jsons }, select: { jsons: true } });
    expect(data).toEqual({ jsons: [{ kept: NUMBER }] });
    await app.close();
  });

  it('match filters by the written value', async () => {
    await fc.assert(
      fc.asyncProperty(json, fc.nat(14), async (value, index) => {
        const road = roads()[index];
        // `null` matches both nulls, and a text of REST is parsed as JSON.
        if (!road || value === null) return;
        const { id, status } = await road.create({ json: value });
        for (const finder of roads()) {
          const { status: found, ids, text } = await finder.find('json', finder.name.startsWith('REST') ? JSON.stringify(value) : value);
          const about = `${finder.name} ${JSON.stringify(value)} ${text}`;
          if (status === 201) expect([found, ids.includes(id), about]).toEqual([200, true, about]);
          else expect([found, about]).toEqual([400, about]);
        }
      }),
      RUNS,
    );
  }, 600_000);

  it.each<[string, object]>([
    ['a number below a path', { json: { path: ['n'], equals: 0.30000000000000004 } }],
    ['a number that is greater', { json: { path: ['n'], gt: 0.3 } }],
    ['a number that is not', { json: { path: ['n'], not: 0.3 } }],
    ['the key __proto__ in a path', { json: { path: ['__proto__', 'x'], equals: 1 } }],
    ['an object with the key __proto__', { json: { path: ['o'], equals: objectOf([['__proto__', 1]]) } }],
    ['an element of a list', { json: { path: ['l'], array_contains: [0.30000000000000004] } }],
    ['the first element of a list', { json: { path: ['l'], array_starts_with: 0.30000000000000004 } }],
    ['the last element of a list', { json: { path: ['l'], array_ends_with: 'DbNull' } }],
    ['a text below a path', { json: { path: ['t'], equals: 'JsonNull' } }],
    ['a number as the root', { requiredJson: { equals: 0.30000000000000004 } }],
    ['a number that is not less or equal', { json: { path: ['n'], gt: 0.3, lt: 0.5 } }],
    ['a number that is not less', { requiredJson: { gte: 0.30000000000000004 } }],
    ['an element of Json[]', { jsons: { has: 0.30000000000000004 } }],
    ['elements of Json[]', { jsons: { hasEvery: [0.30000000000000004, objectOf([['__proto__', 0.30000000000000004]])] } }],
    ['Json[] as a whole', { jsons: { equals: [0.30000000000000004, objectOf([['__proto__', 0.30000000000000004]])] } }],
  ])('match filters by %s, and records without it do not', async (_, where) => {
    const create = roadNamed('RPC, Prisma').create;
    const { id, status } = await create({ json: FOUND, requiredJson: NUMBER, jsons: [NUMBER, objectOf([['__proto__', NUMBER]])] });
    await create({ json: { n: 0.3, l: [0.3, null], t: null, o: {} }, requiredJson: 0.3, jsons: [0.3, {}] });
    expect(status).toBe(201);
    for (const finder of ['RPC, Prisma', 'RPC, Prisma with a query extension', 'RPC, SQL']) {
      const found = await roadNamed(finder).findWhere(where);
      expect([found.status, found.ids, found.text]).toEqual([200, [id], found.text]);
    }
  });
});

/** Whether docs/types.md lists the value as rejected. */
function isRefused(value: unknown): boolean {
  return /__prismaRawParameters__|\\ud[89a-f]|\\u0000/.test(JSON.stringify(value));
}
