import { onDatabases } from '../../support/databases/this-database.js';
import { CHANGE, CONDITIONS, HARMLESS, LINKED, TAGGED, WRITES } from './contested-writes.js';
import { ENGINES, type Engine, RacingSuite, type Send } from './racing-suite.js';

/** Returns the conditions of a write. Nested writes of many records accept only those on scalar fields. */
function conditionsFor(name: string): typeof CONDITIONS {
  return CONDITIONS.filter(([about]) => about !== 'a related row' || !name.includes('Many of '));
}

/** The engines that decompose all nested writes. */
const DECOMPOSED = (Object.keys(ENGINES) as Engine[]).filter((engine) => engine !== 'Prisma' && engine !== 'SQL');

/** The statuses for a record that does not meet the condition: missing, in conflict, or with a failed precondition. */
const REFUSED = [404, 409, 412];

onDatabases('postgresql-server').describe('a condition beside the key, of two concurrent writers', () => {
  const suite = new RacingSuite();
  let theirs = '';
  beforeAll(async () => {
    theirs = await suite.stateAfter(CHANGE);
  });

  describe.each(Object.keys(ENGINES) as Engine[])('by %s', (engine) => {
    describe.each(WRITES)('%s (%s)', (name, reach, send) => {
      it.each(conditionsFor(name))('rejects the second write if it is on %s', async (__, more) => {
        const app = await suite.app(engine);
        const { status, state, text } = await suite.race(app, CHANGE, send(more));
        const expected = reach === 'many' ? [200] : REFUSED;
        expect([expected, text]).toEqual([expect.arrayContaining([status]), text]);
        expect(state).toBe(theirs);
      });
      it('accepts the write if it is still met', async () => {
        const app = await suite.app(engine);
        const { status, text } = await suite.race(app, HARMLESS, send({ title: 'three', version: 1 }));
        expect([status, text]).toEqual([200, text]);
      });
    });
    describe.each(TAGGED)('If-Match of %s', (_, send) => {
      it('rejects the second write', async () => {
        const { status, state } = await suite.race(await suite.app(engine), CHANGE, send);
        expect([status, state]).toEqual([412, theirs]);
      });
    });
  });
});

onDatabases('postgresql-server').describe('a record of a one-to-one relationship, of two concurrent writers', () => {
  const suite = new RacingSuite();
  const taking = `UPDATE "Note" SET "taskId" = 4 WHERE "id" = 3`;
  const data = { type: 'note', id: '3' };

  it.each(Object.keys(ENGINES) as Engine[])('is linked by the first one, and the second one is a 409, by %s', async (engine) => {
    const link: Send = (app) => app.rest.patch('/task/3/relationships/note', { data });
    const { status, state, text } = await suite.race(await suite.app(engine), taking, link);
    expect([status, text]).toEqual([409, expect.stringContaining('unique-conflict')]);
    expect(state).toBe(await suite.stateAfter(taking));
  });

  // Without rules, hooks and soft delete, Prisma and SQL execute nested writes by keys as a whole.
  describe.each(DECOMPOSED)('by %s', (engine) => {
    it.each(LINKED)('%s does not write the record if the first writer has unlinked it (%s)', async (_, reach, change, send) => {
      const expected = await suite.stateAfter(change);
      const { status, state, text } = await suite.race(await suite.app(engine), change, send);
      expect([reach === 'many' ? [200] : REFUSED, text]).toEqual([expect.arrayContaining([status]), text]);
      expect(state).toBe(expected);
    });
  });
});
