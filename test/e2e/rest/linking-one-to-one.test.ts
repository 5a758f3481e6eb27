import { describe, expect, it } from '@jest/globals';
import { sample } from '../../support/sample.js';
import { describeKeys, ENGINES } from '../../support/keys-apps.js';
import { sendRequest } from '../../support/send-request.js';
import type { TestApp } from '../../support/test-app.js';
import { ATOMIC } from './operations-suite.js';
import { describeWrites, refusalOf } from './write-suite.js';

// Coupon 2 belongs to member 1, coupon 4 to member 2. Coupon 3 and member 3 are free.
const member = (id: number): object => ({ type: 'member', id: String(id) });
const coupon = (id: number): object => ({ type: 'coupon', id: String(id) });
const ofMember = (id: number): object => ({ relationships: { member: { data: member(id) } } });
const ofCoupon = (id: number): object => ({ relationships: { coupon: { data: coupon(id) } } });
const matched = { meta: { operation: 'upsert', matchFields: ['id'] } };

interface Answer {
  readonly status: number;
  readonly text: string;
}

type Send = (app: TestApp) => Promise<Answer>;
type Case = readonly [name: string, send: Send, pointer: string];

const send =
  (method: 'PATCH' | 'POST' | 'PUT', path: string, body: object): Send =>
  ({ agent }) =>
    sendRequest(agent, {
      method,
      path: `/api/rest${path}`,
      headers: { 'Content-Type': 'application/vnd.api+json' },
      body: JSON.stringify(body),
    });

const operations =
  (...list: readonly object[]): Send =>
  ({ agent }) =>
    sendRequest(agent, {
      method: 'POST',
      path: '/api/rest/operations',
      headers: { 'Content-Type': ATOMIC, 'Accept': ATOMIC },
      body: JSON.stringify({ 'atomic:operations': list }),
    });

/** Every write that links a record of one side to one of the other. */
function writes(side: 'coupon' | 'member', own: number, target: number): readonly Case[] {
  const [other, link, identifier] =
    side === 'coupon' ? ['member', ofMember(target), member(target)] : ['coupon', ofCoupon(target), coupon(target)];
  const path = `/${side}/${own}/relationships/${other}`;
  const id = String(own);
  const inDocument = `/data/relationships/${other}/data`;
  return [
    [`PATCH ${path}`, send('PATCH', path, { data: identifier }), '/data'],
    [`PUT ${path}`, send('PUT', path, { data: identifier }), '/data'],
    [`PATCH /${side}/${own}/${other}`, send('PATCH', `/${side}/${own}/${other}`, { data: identifier }), '/data'],
    [`PATCH /${side}/${own}`, send('PATCH', `/${side}/${own}`, { data: { type: side, id, ...link } }), inDocument],
    [
      `an upsert of ${side} ${own}`,
      send('POST', `/${side}`, { data: { type: side, id, attributes: {}, ...link }, ...matched }),
      inDocument,
    ],
    [
      `an operation on ${side} ${own}`,
      operations({ op: 'update', data: { type: side, id, ...link } }),
      `/atomic:operations/0${inDocument}`,
    ],
    [
      `an operation on the relationship of ${side} ${own}`,
      operations({ op: 'update', ref: { type: side, id, relationship: other }, data: identifier }),
      '/atomic:operations/0/data',
    ],
  ];
}

/** Every write that creates a record and links it. */
function creates(side: 'coupon' | 'member', target: number): readonly Case[] {
  const [other, link] = side === 'coupon' ? ['member', ofMember(target)] : ['coupon', ofCoupon(target)];
  const inDocument = `/data/relationships/${other}/data`;
  const data = { type: side, attributes: {}, ...link };
  return [
    [`POST /${side}`, send('POST', `/${side}`, { data }), inDocument],
    [`an operation that adds a ${side}`, operations({ op: 'add', data }), `/atomic:operations/0${inDocument}`],
    [`an upsert that creates a ${side}`, send('POST', `/${side}`, { data: { ...data, id: '99' }, ...matched }), inDocument],
  ];
}

const TAKEN = [...writes('coupon', 3, 1), ...writes('coupon', 4, 1), ...creates('coupon', 1)];
const TAKEN_THERE = [...writes('member', 3, 2), ...writes('member', 1, 4), ...creates('member', 2)];
const FREE = [
  ...writes('coupon', 3, 3).map(([name, write]) => [name, write, { 2: 1, 3: 3, 4: 2 }] as const),
  ...writes('member', 1, 3).map(([name, write]) => [name, write, { 2: null, 3: 1, 4: 2 }] as const),
];
const SAME = [...writes('coupon', 2, 1), ...writes('member', 1, 2)];

const OPTIONS = { rest: { operations: true }, resources: { Member: { clientIds: 'allowed' }, Coupon: { clientIds: 'allowed' } } } as const;

describeKeys('a one-to-one relationship', OPTIONS, ({ appOf, dump }) => {
  const linksOf = async (app: TestApp): Promise<object> => {
    const { many } = await app.rest.get('/coupon?include=member');
    return Object.fromEntries(
      many.map(({ id, relationships }) => {
        const { data = null } = relationships['member'] ?? {};
        return [id, data && 'id' in data ? data.id : null];
      }),
    );
  };

  describe.each(ENGINES)('by %s', (engine) => {
    it.each(sample.oneIn(3, [...TAKEN, ...TAKEN_THERE]))(
      'answers 409 if the record is linked to another one: %s',
      async (_, write, pointer) => {
        const before = await dump();
        const { status, text } = await write(appOf(engine));
        expect([status, text]).toEqual([409, text]);
        expect(JSON.parse(text)).toMatchObject({ errors: [{ code: 'unique-conflict', source: { pointer } }] });
        expect(text).toMatch(/belongs to another (?:coupon|member) already \('(?:member|coupon)' is one-to-one\)/);
        expect(await dump()).toBe(before);
      },
    );

    it.each(sample.oneIn(3, FREE))('links a free record, and unlinks the previous one: %s', async (_, write, links) => {
      const app = appOf(engine);
      const { status, text } = await write(app);
      expect([status < 300, text]).toEqual([true, text]);
      expect(await linksOf(app)).toEqual(links);
    });

    it.each(sample.oneIn(3, SAME))('does not change if the record is already linked: %s', async (_, write) => {
      const app = appOf(engine);
      const before = await linksOf(app);
      expect((await write(app)).status).toBeLessThan(300);
      expect(await linksOf(app)).toEqual(before);
    });

    it('links a record that an earlier operation of the request has unlinked', async () => {
      const app = appOf(engine);
      const { status, text } = await operations(
        { op: 'update', ref: { type: 'member', id: '1', relationship: 'coupon' }, data: null },
        { op: 'update', ref: { type: 'member', id: '3', relationship: 'coupon' }, data: coupon(2) },
      )(app);
      expect([status, text]).toEqual([expect.any(Number), expect.not.stringContaining('errors')]);
      expect(await linksOf(app)).toEqual({ 2: 3, 3: null, 4: 2 });
    });

    it('rejects a record that an earlier operation of the request has linked', async () => {
      const created = { type: 'coupon', lid: 'new' };
      const { text } = await operations(
        { op: 'add', data: { ...created, attributes: {}, ...ofMember(3) } },
        { op: 'update', ref: { type: 'member', id: '1', relationship: 'coupon' }, data: created },
      )(appOf(engine));
      expect(JSON.parse(text)).toMatchObject({ errors: [{ code: 'unique-conflict', source: { pointer: '/atomic:operations/1/data' } }] });
    });
  });
});

describeWrites('a one-to-one relationship to a resource with an externalId', { resources: { User: { externalId: 'email' } } }, (suite) => {
  it('answers 409 if the record is linked to another one', async () => {
    const { prisma } = suite.database;
    const before = await prisma.profile.findMany({ orderBy: { id: 'asc' } });
    const data = { type: 'user', id: (await prisma.user.findUniqueOrThrow({ where: { id: 1 } })).email };
    expect(refusalOf(await suite.app.rest.patch('/profile/2/relationships/user', { data }))).toEqual([409, 'unique-conflict /data']);
    const created = await suite.app.rest.post('/profile', { data: { type: 'profile', attributes: {}, relationships: { user: { data } } } });
    expect(refusalOf(created)).toEqual([409, 'unique-conflict /data/relationships/user/data']);
    expect(await prisma.profile.findMany({ orderBy: { id: 'asc' } })).toEqual(before);
  });
});
