import type { RulesOption } from '../../../lib/index.js';
import { sample } from '../../support/sample.js';
import { onPlatforms } from '../../support/test-app.js';
import { describeNames, NOTHING_CLOSED } from '../security/support/names-suite.js';

const BAD = 400;
const MISSING = 404;

/** Notes and badges reference accounts by their code. Accounts 1 and 3 have none. Notes 1 and 2 have no owner, note 3 has account 2. */
describeNames('a relation to a key that is null', (suite) => {
  const { start } = suite;

  /** Nested writes of an account without a code, with the status of the response. */
  const ON_NOTES: readonly (readonly [write: object, status: number])[] = [
    [{ deleteMany: {} }, 200],
    [{ deleteMany: { text: 'of nobody' } }, 200],
    [{ deleteMany: [{ id: 1 }, { id: 3 }] }, 200],
    [{ updateMany: { where: {}, data: { text: 'hit' } } }, 200],
    [{ updateMany: { where: { OR: [{ id: 1 }, { id: 3 }] }, data: { text: 'hit' } } }, 200],
    [{ set: [] }, 200],
    [{ disconnect: { id: 1 } }, 200],
    [{ disconnect: [{ id: 1 }, { id: 3 }] }, 200],
    [{ update: { where: { id: 1 }, data: { text: 'hit' } } }, MISSING],
    [{ update: { where: { id: 3 }, data: { text: 'hit' } } }, MISSING],
    [{ delete: { id: 1 } }, MISSING],
    [{ delete: [{ id: 1 }, { id: 2 }] }, MISSING],
    [{ set: [{ id: 1 }] }, BAD],
    [{ set: [{ id: 3 }] }, BAD],
    [{ connect: { id: 1 } }, BAD],
    [{ connect: { id: 3 } }, BAD],
    [{ connect: { id: 99 } }, MISSING],
    [{ create: { text: 'x' } }, BAD],
    [{ createMany: { data: [{ text: 'x' }] } }, BAD],
    [{ connectOrCreate: { where: { id: 3 }, create: { text: 'x' } } }, BAD],
    [{ connectOrCreate: { where: { id: 99 }, create: { text: 'x' } } }, BAD],
    [{ upsert: { where: { id: 1 }, create: { text: 'x' }, update: { text: 'hit' } } }, BAD],
  ];

  const ON_BADGE: readonly (readonly [write: object, status: number])[] = [
    [{ disconnect: true }, 200],
    [{ disconnect: { text: 'of nobody' } }, 200],
    [{ update: { text: 'hit' } }, MISSING],
    [{ update: { where: { id: 1 }, data: { text: 'hit' } } }, MISSING],
    [{ delete: true }, MISSING],
    [{ delete: { id: 1 } }, MISSING],
    [{ connect: { id: 1 } }, BAD],
    [{ connect: { id: 3 } }, BAD],
    [{ create: { text: 'x' } }, BAD],
    [{ connectOrCreate: { where: { id: 3 }, create: { text: 'x' } } }, BAD],
    [{ upsert: { create: { text: 'x' }, update: { text: 'hit' } } }, BAD],
  ];

  const WRITES = [
    ...ON_NOTES.map(([write, status]) => [{ notes: write }, status] as const),
    ...ON_BADGE.map(([write, status]) => [{ badge: write }, status] as const),
  ];

  onPlatforms('under rules', (platform) => {
    it('changes no row whose key is null, too, by nested writes in RPC', async () => {
      const { rpc } = await start(platform, NOTHING_CLOSED);
      const before = await suite.database.dump();
      for (const [data, status] of sample.oneIn(3, WRITES)) {
        const where = { id: 1 };
        const upsert = { where, create: { name: 'x' }, update: data };
        expect([JSON.stringify(data), (await rpc('account/update', { where, data })).status]).toEqual([JSON.stringify(data), status]);
        expect([JSON.stringify(data), (await rpc('account/upsert', upsert)).status]).toEqual([JSON.stringify(data), status]);
        const below = { where, data: { owner: { update: data } } };
        expect([JSON.stringify(data), (await rpc('sensor/update', below)).status]).toEqual([JSON.stringify(data), status]);
      }
      expect(await suite.database.dump()).toBe(before);
    });

    it('changes no row whose key is null, too, by relationships in REST', async () => {
      const { rest } = await start(platform, NOTHING_CLOSED);
      const before = await suite.database.dump();
      const notes = (...ids: readonly number[]) => ({ data: ids.map((id) => ({ type: 'note', id })) });
      const badge = (id: number) => ({ data: { type: 'badge', id } });
      for (const [method, relation, body, status] of [
        ['PATCH', 'notes', notes(), 200],
        ['DELETE', 'notes', notes(1, 3), 200],
        ['PATCH', 'notes', notes(3), BAD],
        ['POST', 'notes', notes(1), BAD],
        ['POST', 'notes', notes(3), BAD],
        ['PATCH', 'badge', { data: null }, 200],
        ['PATCH', 'badge', badge(1), BAD],
        // It belongs to another account.
        ['PATCH', 'badge', badge(3), 409],
      ] as const) {
        const said = await rest(method, `/account/1/relationships/${relation}`, body);
        expect([method, relation, body, said.status]).toEqual([method, relation, body, status]);
      }
      const resource = { type: 'account', id: 1, attributes: { role: 'X' }, relationships: { notes: notes(3) } };
      expect((await rest('PATCH', '/account/1', { data: resource })).status).toBe(BAD);
      const created = { type: 'account', attributes: { name: 'new' }, relationships: { badge: badge(3) } };
      expect((await rest('POST', '/account', { data: created })).status).toBe(409);
      expect(await suite.database.dump()).toBe(before);
    });

    it('cannot be linked from the side that has the foreign key', async () => {
      const { rest, rpc } = await start(platform, NOTHING_CLOSED);
      const before = await suite.database.dump();
      for (const [operation, args] of [
        ['note/update', { where: { id: 3 }, data: { owner: { connect: { id: 1 } } } }],
        ['note/update', { where: { id: 3 }, data: { owner: { create: { name: 'new' } } } }],
        ['note/update', { where: { id: 1 }, data: { owner: { upsert: { create: { name: 'new' }, update: {} } } } }],
        ['note/update', { where: { id: 3 }, data: { owner: { connectOrCreate: { where: { id: 1 }, create: { name: 'new' } } } } }],
        ['note/create', { data: { owner: { connect: { id: 1 } } } }],
        ['badge/create', { data: { owner: { create: { name: 'new' } } } }],
        ['account/create', { data: { name: 'new', notes: { create: {} } } }],
        ['account/create', { data: { name: 'new', notes: { connect: { id: 3 } } } }],
        ['account/create', { data: { name: 'new', badge: { connect: { id: 3 } } } }],
      ] as const) {
        expect([operation, args, (await rpc(operation, args)).status]).toEqual([operation, args, BAD]);
      }
      const owner = { data: { type: 'account', id: 1 } };
      expect((await rest('PATCH', '/note/3/relationships/owner', owner)).status).toBe(BAD);
      expect(await suite.database.dump()).toBe(before);
      expect((await rpc('note/update', { where: { id: 1 }, data: { owner: { update: { role: 'X' } } } })).status).toBe(404);
    });

    it('matches no row in the filters of updates, deletes and reads', async () => {
      for (const rules of [
        NOTHING_CLOSED,
        { ...NOTHING_CLOSED, Account: { read: true, update: { badge: null }, delete: { badge: { is: null } } } },
      ]) {
        const { rpc } = await start(platform, rules);
        const where = { badge: null, id: { in: [1, 2, 3] } };
        expect((await rpc('account/findMany', { where, select: { id: true } })).data).toEqual([{ id: 1 }, { id: 3 }]);
        expect((await rpc('account/updateMany', { where, data: { role: 'X' } })).data).toEqual({ count: 2 });
        expect((await rpc('account/update', { where: { id: 1, badge: null }, data: { role: 'Y' } })).status).toBe(200);
        expect((await rpc('account/deleteMany', { where })).data).toEqual({ count: 2 });
        await suite.database.reset();
      }
    });

    it('does not affect the order of pages from a cursor', async () => {
      const badges: RulesOption = {
        ...NOTHING_CLOSED,
        Badge: { '*': true, 'read': { OR: [{ owner: null }, { owner: { role: 'USER' } }] } },
      };
      for (const rules of [NOTHING_CLOSED, badges]) {
        const { rpc } = await start(platform, rules);
        const page = { cursor: { id: 1 }, orderBy: { ownerCode: 'asc' }, select: { id: true } };
        expect((await rpc('badge/findMany', page)).data).toEqual([{ id: 1 }, { id: 2 }]);
        expect((await rpc('badge/findMany', { ...page, skip: 1, take: 1 })).data).toEqual([{ id: 2 }]);
        expect((await rpc('badge/findFirst', { ...page, skip: 1 })).data).toEqual({ id: 2 });
      }
    });

    it('can be written once an update has set the key, and no longer once one has set it to null', async () => {
      const { rest, rpc } = await start(platform, NOTHING_CLOSED);
      const { prisma } = suite.database;
      const texts = async () => (await prisma.note.findMany({ orderBy: { id: 'asc' } })).map(({ id, ownerCode }) => [id, ownerCode]);
      const first = { where: { id: 1 }, data: { code: 'A', notes: { connect: { id: 1 }, create: {} } } };
      expect((await rpc('account/update', first)).status).toBe(200);
      expect(await texts()).toEqual([
        ...[
          [1, 'A'],
          [2, null],
          [3, 'B'],
        ],
        [expect.any(Number), 'A'],
      ]);
      expect((await rest('DELETE', '/account/1/relationships/notes', { data: [{ type: 'note', id: 1 }] })).status).toBe(200);
      expect((await rpc('account/update', { where: { id: 2 }, data: { notes: { deleteMany: {} }, badge: { delete: true } } })).status).toBe(
        200,
      );
      // The foreign keys of its notes become null with the code.
      expect((await rpc('account/update', { where: { id: 1 }, data: { code: null, notes: { deleteMany: {} } } })).status).toBe(200);
      expect((await texts()).map(([, ownerCode]) => ownerCode)).toEqual([null, null, null]);
    });
  });

  /** Prisma sends `IN (NULL)`, which matches no row, but would write null as a key. */
  onPlatforms('without rules', (platform) => {
    it('changes no row whose key is null, too', async () => {
      const { rest, rpc } = await start(platform);
      const before = await suite.database.dump();
      for (const [data, status] of WRITES) {
        if (status === BAD) continue;
        const said = await rpc('account/update', { where: { id: 1 }, data });
        if (status === 200) expect([JSON.stringify(data), said.status]).toEqual([JSON.stringify(data), 200]);
        else expect(said.status).toBeGreaterThanOrEqual(400);
      }
      expect((await rest('PATCH', '/account/1/relationships/notes', { data: [] })).status).toBe(200);
      expect((await rest('DELETE', '/account/1/relationships/notes', { data: [{ type: 'note', id: 1 }] })).status).toBe(200);
      expect(await suite.database.dump()).toBe(before);
    });
  });
});
