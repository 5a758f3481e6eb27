import { expect, it } from '@jest/globals';
import { describeKeys, ENGINES } from '../../support/keys-apps.js';
import { refusalOf } from './write-suite.js';

const ATOMIC = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"';

const upsert = (room: object | null, matchFields: readonly string[], title: string): object => ({
  data: { type: 'row', attributes: { slug: 's', title }, relationships: { room: { data: room } } },
  meta: { operation: 'upsert', matchFields },
});

/** The fields that can be the id of a room, with the ids of room 1 and of a room without rows. */
const VARIANTS = [
  ['the primary key', {}, ['1', '3']],
  ['another key', { Room: { externalId: 'handle', fields: { id: { name: 'key' } } } }, ['r1', 'r3']],
] as const;

/** In strict mode, only the parser differs, so that two engines suffice. */
const SOME_ENGINES = ['Prisma', 'SQL under rules'] as const;

describe.each([false, true])('an upsert by a key with a foreign key (rest.strict: %s)', (strict) => {
  describe.each(VARIANTS)('if the id of the referenced model is %s', (name, resources, [existing, unused]) => {
    const title = `${name}, ${strict ? 'strictly' : 'by default'}`;
    describeKeys(title, { rest: { strict, operations: true }, resources }, (suite) => {
      describe.each(strict ? SOME_ENGINES : ENGINES)('by %s', (engine) => {
        it.each([
          ['room', 'slug'],
          ['slug', 'roomId'],
          ['roomId', 'slug', 'room'],
        ])('reads the foreign key from the relationship: %s, %s', async (...fields) => {
          const { rest } = suite.appOf(engine);
          await suite.database.prisma.room.create({ data: { id: 3, handle: 'r3' } });
          const found = await rest.post('/row', upsert({ type: 'room', id: existing }, fields, 'found'));
          expect([found.status, String(found.one.id), found.one.attributes['title']]).toEqual([200, '1', 'found']);
          const created = await rest.post('/row', upsert({ type: 'room', id: unused }, fields, 'created'));
          expect([created.status, created.one.attributes['title']]).toEqual([201, 'created']);
          const again = await rest.post('/row', upsert({ type: 'room', id: unused }, fields, 'again'));
          expect([again.status, again.one.id]).toEqual([200, created.one.id]);
          const rows = await suite.database.prisma.row.findMany({ orderBy: { id: 'asc' }, select: { roomId: true, title: true } });
          expect(rows).toEqual([
            { roomId: 1, title: 'found' },
            { roomId: 2, title: 'second' },
            { roomId: 3, title: 'again' },
          ]);
        });

        it('reads the foreign key from a resource that an earlier operation creates', async () => {
          const add = (data: object, more = {}): object => ({ op: 'add', data, ...more });
          const row = (text: string): object => ({
            ...{ type: 'row', attributes: { slug: 's', title: text }, relationships: { room: { data: { type: 'room', lid: 'new' } } } },
          });
          const meta = { meta: { operation: 'upsert', matchFields: ['room', 'slug'] } };
          const operations = [add({ type: 'room', lid: 'new', attributes: { handle: 'r9' } }), add(row('a'), meta), add(row('b'), meta)];
          const { agent } = suite.appOf(engine);
          const sent = agent.post('/api/rest/operations').set('Content-Type', ATOMIC);
          expect((await sent.send(JSON.stringify({ 'atomic:operations': operations }))).status).toBe(200);
          const rows = await suite.database.prisma.row.findMany({ where: { room: { handle: 'r9' } } });
          expect(rows).toMatchObject([{ title: 'b' }]);
        });

        it('rejects a missing relationship, and one to a missing resource', async () => {
          const { rest } = suite.appOf(engine);
          const before = await suite.dump();
          const without = {
            data: { type: 'row', attributes: { slug: 's' } },
            meta: { operation: 'upsert', matchFields: ['room', 'slug'] },
          };
          expect(refusalOf(await rest.post('/row', without))[0]).toBe(400);
          expect(refusalOf(await rest.post('/row', upsert(null, ['room', 'slug'], 'x')))).toEqual([
            400,
            'invalid-relation-data /data/relationships/room/data',
          ]);
          const missing = upsert({ type: 'room', id: name === 'another key' ? 'none' : '99' }, ['room', 'slug'], 'x');
          expect(refusalOf(await rest.post('/row', missing))).toEqual([404, 'not-found /data/relationships/room/data']);
          expect(refusalOf(await rest.post('/row', upsert({ type: 'room', id: existing }, ['room'], 'x')))).toEqual([
            400,
            'invalid-payload /meta/matchFields',
          ]);
          expect(await suite.dump()).toBe(before);
        });
      });
    });
  });
});
