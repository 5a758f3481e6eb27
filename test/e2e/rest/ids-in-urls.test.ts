import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { idOfSegment, segmentOfId } from '../../../lib/model/values/resource-id.js';
import { sample } from '../../support/sample.js';
import { ENGINES, describeKeys } from '../../support/keys-apps.js';
import { ENDPOINT, type TestApp } from '../../support/test-app.js';
import { refusalOf } from './write-suite.js';

/** Ids that parsers of URLs remove from a path. */
const DOTS = ['', '.', '..'];
/** Dot segments, ids that look like them, and others that need escaping. */
const IDS = [...DOTS, '\\', '\\.', '\\..', '\\\\.', '...', '.a', 'a/../b', '../doc', '%2E', ' ', 'a?b#c', 'relationships', 'a+b', 'ü'];

const idText = fc.oneof(
  fc.string({ unit: fc.constantFrom('\\', '.', 'a', '%', '/'), maxLength: 6 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
);

interface Linked {
  readonly data: { readonly id?: string } | readonly unknown[] | null;
  readonly links: { readonly self: string };
}

/** Follows a link as browsers do. */
async function follow(app: TestApp, link: string): Promise<Linked> {
  const response = await fetch(link.replace(ENDPOINT, `${app.url}/api/rest`));
  expect({ link, status: response.status }).toEqual({ link, status: 200 });
  return (await response.json()) as Linked;
}

const linksIn = (text: string): string[] => [...new Set(text.match(/http:\/\/api\.test[^"]*/g))];

describe('an id as a segment of a path', () => {
  it('is decoded to the same id, and is never a dot segment', () => {
    fc.assert(
      fc.property(idText, (id) => {
        const segment = encodeURIComponent(segmentOfId(id));
        expect(idOfSegment(decodeURIComponent(segment))).toBe(id);
        expect(new URL(`http://a.test/doc/${segment}/children`).pathname).toBe(`/doc/${segment}/children`);
      }),
      { numRuns: 1000 },
    );
  });
});

describeKeys(
  'ids that URLs cannot have',
  { rest: { operations: true }, resources: { Account: { externalId: 'email', clientIds: 'allowed', fields: { id: { name: 'key' } } } } },
  (suite) => {
    describe.each(ENGINES)('by %s', (engine) => {
      it('LK-04, LK-07, LK-08: have links to their records', async () => {
        const app = suite.appOf(engine);
        await suite.database.prisma.doc.createMany({ data: IDS.map((id, index) => ({ id, slug: `x${index}`, parentId: id })) });
        const text = JSON.stringify(await follow(app, `${ENDPOINT}/doc?include=parent&page[limit]=100`));
        for (const link of linksIn(text).filter((one) => !one.includes('page%5B'))) expect((await follow(app, link)).links.self).toBe(link);
        for (const [index, id] of IDS.entries()) {
          const { data } = await follow(app, `${ENDPOINT}/doc?filter[slug]=x${index}`);
          const [found] = data as readonly Linked[];
          const document = await follow(app, found?.links.self ?? '');
          expect(document.data).toMatchObject({ id });
          expect((await follow(app, `${document.links.self}/parent`)).data).toMatchObject({ id });
        }
      });

      it.each(sample.oneIn(3, DOTS))('are rejected if a client chooses one: %j', async (id) => {
        const { rest, rpc } = suite.appOf(engine);
        const before = await suite.dump();
        const invalid = ['400', 'invalid-id'];
        const refusal = async (body: object, path = '/doc', method: 'POST' | 'PATCH' = 'POST'): Promise<unknown> =>
          refusalOf(await rest.request(method, path, { body })).map((one) => String(one).split(' ')[0]);
        const attributes = { slug: 'new' };
        const upsert = { operation: 'upsert', matchFields: ['slug'] };
        expect(await refusal({ data: { type: 'doc', id, attributes } })).toEqual(invalid);
        expect(await refusal({ data: { type: 'doc', attributes: { ...attributes, id } } })).toEqual(invalid);
        expect(await refusal({ data: { type: 'doc', id, attributes }, meta: upsert })).toEqual(invalid);
        expect(await refusal({ data: { type: 'account', attributes: { email: id, handle: 'x' } } }, '/account')).toEqual(
          invalid.map(String),
        );
        expect(await refusal({ data: { type: 'account', attributes: { email: id } } }, '/account/a@x', 'PATCH')).toEqual(
          invalid.map(String),
        );
        expect(await refusal({ data: { type: 'doc', attributes: { id } } }, '/doc/one', 'PATCH')).toEqual(invalid);
        const created = { id, slug: 'new' };
        const calls: [string, object][] = [
          ['doc/create', { data: created }],
          ['doc/createMany', { data: [created] }],
          ['doc/createManyAndReturn', { data: [created] }],
          ['doc/update', { where: { id: 'one' }, data: { id } }],
          ['doc/update', { where: { id: 'one' }, data: { id: { set: id } } }],
          ['doc/updateMany', { where: { id: 'one' }, data: { id } }],
          ['doc/upsert', { where: { slug: 'new' }, create: created, update: {} }],
          ['doc/upsert', { where: { slug: 's1' }, create: { id: 'b', slug: 'new' }, update: { id } }],
          ['doc/update', { where: { id: 'one' }, data: { children: { create: created } } }],
          ['doc/update', { where: { id: 'one' }, data: { parent: { connectOrCreate: { where: { id: 'x' }, create: created } } } }],
          ['account/create', { data: { email: id, handle: 'x' } }],
          ['account/update', { where: { id: 1 }, data: { email: id } }],
        ];
        for (const [path, args] of calls) expect([path, (await rpc.call(path, args)).status]).toEqual([path, 400]);
        expect(await suite.dump()).toBe(before);
      });
    });
  },
);

describeKeys(
  'compound ids that URLs cannot have',
  { rest: { idDivider: '.' }, resources: { Ledger: { clientIds: 'allowed' } } },
  (suite) => {
    it('are allowed as parts of compound ids', async () => {
      const { rest } = suite.appOf('Prisma');
      expect((await rest.post('/guest', { data: { type: 'guest', attributes: { roomId: 1, name: '' } } })).one.id).toBe('1.');
      expect((await rest.get('/guest/1.')).one.id).toBe('1.');
    });
  },
);
