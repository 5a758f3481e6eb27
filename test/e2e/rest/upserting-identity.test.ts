import { expect, it } from '@jest/globals';
import { sample } from '../../support/sample.js';
import { describeKeys, ENGINES, type KeysSuite } from '../../support/keys-apps.js';
import { resourceSchema as emulatedSchema } from '../../support/generated/emulated/resource-schema.js';
import { openEmulatedDatabase } from '../../support/keys-database.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

/** A record that exists, by a key that is not its id. */
interface Case {
  readonly type: string;
  readonly table: string;
  readonly matchFields: readonly string[];
  /** The attributes by which the upsert matches the record. */
  readonly key: Readonly<Record<string, unknown>>;
  readonly id: string;
  /** Ids that a client may propose: a new one, that of another record, and the record's own. */
  readonly proposed: readonly string[];
  /** Further required attributes of a create. */
  readonly required?: Readonly<Record<string, unknown>>;
  readonly relationships?: object;
}

const CASES: readonly Case[] = [
  { type: 'doc', table: 'Doc', matchFields: ['slug'], key: { slug: 's1' }, id: 'one', proposed: ['two', '1.1', 'one'] },
  {
    type: 'big',
    table: 'Big',
    matchFields: ['name'],
    key: { name: 'n3' },
    id: '9007199254740993',
    proposed: ['5', '1', '9007199254740993'],
  },
  { type: 'price', table: 'Price', matchFields: ['name'], key: { name: 'n3' }, id: '0.3', proposed: ['0.30000000000000004', '1', '0.30'] },
  { type: 'level', table: 'Level', matchFields: ['name'], key: { name: 'n1' }, id: '1', proposed: ['2', '9007199254740992', '1'] },
  {
    type: 'pair',
    table: 'Pair',
    matchFields: ['name'],
    key: { name: 'n1' },
    id: '1_1',
    proposed: ['5_5', '9007199254740992_9007199254740992', '1_1'],
  },
  // The id and the match fields share a field.
  {
    ...{ type: 'pair', table: 'Pair', matchFields: ['tenant', 'label'], key: { label: 'l1' }, id: '1_1', proposed: ['1_5', '1_1'] },
    required: { name: 'n1' },
  },
  // The email is the id, and differs from the primary key.
  { type: 'account', table: 'Account', matchFields: ['handle'], key: { handle: 'a' }, id: 'a@x', proposed: ['c@x', 'b@x', 'a@x'] },
  { type: 'seat', table: 'Seat', matchFields: ['badge'], key: { badge: 'b1' }, id: '1_1', proposed: ['1_7', '2_7', '2_1', '1_1'] },
  {
    ...{ type: 'seat', table: 'Seat', matchFields: ['badge'], key: { badge: 'b1', number: 7 }, id: '1_1', proposed: [''] },
    relationships: { room: { data: { type: 'room', id: '2' } } },
  },
];

type Send = (app: TestApp, document: object) => Promise<{ readonly status: number; readonly id: unknown; readonly title: unknown }>;

interface Shown {
  readonly id: unknown;
  readonly attributes: Readonly<Record<string, unknown>>;
}

const post: Send = async (app, document) => {
  const { data } = document as { readonly data: { readonly type: string } };
  const { status, one } = await app.rest.post(`/${data.type}`, document);
  return { status, id: one.id, title: one.attributes['title'] };
};

const ATOMIC = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"';

const operate: Send = async (app, document) => {
  const body = { 'atomic:operations': [{ op: 'add', ...document }] };
  const { status, text } = await app.agent.post('/api/rest/operations').set('Content-Type', ATOMIC).send(JSON.stringify(body)).buffer(true);
  const [result] = (JSON.parse(text) as { readonly 'atomic:results'?: readonly { readonly data: Shown }[] })['atomic:results'] ?? [];
  return { status, id: result?.data.id, title: result?.data.attributes['title'] };
};

function documentOf({ type, matchFields, key, required, relationships }: Case, id: string, title?: string): object {
  const attributes = { ...key, ...required, ...(title !== undefined && { title }) };
  const data = { type, ...(id !== '' && { id }), attributes, ...(relationships && { relationships }) };
  return { data, meta: { operation: 'upsert', matchFields } };
}

/** The tables without the titles of one, which the upserts change. */
function withoutTitles(dump: string): string {
  return dump.replaceAll(/\\"title\\":(?:null|\\"[^"\\]*\\")/g, 'title');
}

const OPTIONS = {
  rest: { operations: true },
  resources: {
    Account: { externalId: 'email', clientIds: 'allowed', fields: { id: { name: 'key' } } },
    Pair: { clientIds: 'allowed' },
    Seat: { clientIds: 'allowed' },
  },
} as const;

async function expectKept(app: TestApp, dump: () => Promise<string>, one: Case): Promise<void> {
  const before = await dump();
  for (const [name, send] of [
    ['POST', post],
    ['an operation', operate],
  ] as const) {
    for (const proposed of one.proposed) {
      const title = `by ${name} with ${proposed}`;
      expect({ ...(await send(app, documentOf(one, proposed, title))), proposed }).toEqual({
        status: 200,
        id: expect.anything(),
        title,
        proposed,
      });
      const { one: found } = await app.rest.get(`/${one.type}/${encodeURIComponent(one.id)}`);
      expect(found.attributes['title']).toBe(title);
      // A proposed id that equals the existing one is accepted.
      expect((await send(app, documentOf(one, proposed))).status).toBe(200);
      expect(withoutTitles(await dump())).toBe(withoutTitles(before));
    }
  }
}

/** In strict mode, only the parser differs, so that two engines suffice. */
const SOME_ENGINES = ['Prisma', 'SQL under rules'] as const;

describe.each([false, true])('an upsert that matches a record (rest.strict: %s)', (strict) => {
  const options = { ...OPTIONS, rest: { ...OPTIONS.rest, strict } };
  const cases = strict ? CASES.filter(({ key, type }) => !('number' in key) && !(type === 'pair' && 'label' in key)) : CASES;

  describeKeys(`with ids that clients choose${strict ? ', strictly' : ''}`, options, (suite: KeysSuite) => {
    describe.each(strict ? SOME_ENGINES : ENGINES)('by %s', (engine) => {
      it.each(sample.oneIn(4, cases))(
        'UP-02: does not change the id of the record, for any proposed id: $type by $matchFields',
        async (one) => {
          await suite.database.reset();
          await expectKept(suite.appOf(engine), suite.dump, one);
        },
      );

      it('creates a record with the proposed id if none matches', async () => {
        for (const one of CASES.filter(({ matchFields, key }) => matchFields.length === 1 && !('number' in key))) {
          const [name = ''] = one.matchFields;
          const [proposed = ''] = one.proposed;
          const created = await post(suite.appOf(engine), documentOf({ ...one, key: { [name]: 'unknown' } }, proposed, 'new'));
          expect({ ...created, id: String(created.id) }).toEqual({ status: 201, id: proposed, title: 'new' });
        }
      });

      it('rejects a relationship whose foreign key differs from the same field of the id', async () => {
        const guest = (room: number): object => ({ guest: { data: { type: 'guest', id: `${room}_ada` } } });
        const upsert = (room: number, number = 7): object => ({
          data: { type: 'seat', id: `${room}_${number}`, attributes: { badge: 'b1', title: 'x' }, relationships: guest(room) },
          meta: { operation: 'upsert', matchFields: ['badge'] },
        });
        const before = await suite.dump();
        const { status, errors } = await suite.appOf(engine).rest.post('/seat', upsert(2));
        expect([status, errors[0]?.code, errors[0]?.source]).toEqual([409, 'id-conflict', { pointer: '/data/relationships/guest/data' }]);
        expect(await suite.dump()).toBe(before);
        expect(await post(suite.appOf(engine), upsert(1))).toMatchObject({ status: 200, title: 'x' });
      });
    });
  });
});

describe('an upsert through a client of relationMode = "prisma"', () => {
  let database: Awaited<ReturnType<typeof openEmulatedDatabase>>;
  let app: TestApp;
  beforeAll(async () => {
    database = await openEmulatedDatabase();
    const { prisma } = database;
    const options = {
      ...OPTIONS,
      resources: { Pair: OPTIONS.resources.Pair, Member: { clientIds: 'allowed' } } as const,
      schema: emulatedSchema,
      getClient: () => prisma,
    };
    app = await startTestApp({ platform: 'fastify', options });
  });
  beforeEach(() => database.reset());
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  it.each([
    ...CASES.filter(({ type }) => ['doc', 'big', 'pair'].includes(type)),
    { type: 'doc', table: 'Doc', matchFields: ['id'], key: { slug: 's1' }, id: 'one', proposed: ['one'] },
    { type: 'big', table: 'Big', matchFields: ['id'], key: { name: 'n1' }, id: '1', proposed: ['1'] },
  ])('does not change the id: $type by $matchFields', async (one) => {
    const dump = async (): Promise<string> =>
      JSON.stringify(await database.prisma.$queryRawUnsafe('SELECT id, slug FROM "Doc" ORDER BY id'));
    await expectKept(app, dump, one);
  });

  it('matches a record by its id alone', async () => {
    const document = { data: { type: 'member', id: 1 }, meta: { operation: 'upsert', matchFields: ['id'] } };
    expect((await app.rest.post('/member', document)).status).toBe(200);
    expect((await app.rest.get('/coupon/2?include=member')).one.relationships['member']?.data).toEqual({ type: 'member', id: 1 });
  });
});
