import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Prisma } from '../../../sample/blog/src/generated/prisma/client.js';
import { withRowLevelSecurity } from '../../../lib/row-level-security/with-row-level-security.js';
import { type BlogDatabase, openBlogDatabase } from './blog-database.js';
import { ENGINES } from './engines.js';

/** The timeout of a transaction and the duration of an update of a post, in milliseconds. */
const TIMEOUT = 100;
const SLOWNESS = 300;

/** An update of several statements, of which a policy rejects the second one for user 2. */
const ALIEN_COMMENT = { where: { id: 2 }, data: { title: 'x', comments: { create: { body: 'not mine', authorId: 3 } } } } as const;

describe.each(ENGINES)('a bound transaction that ends while one of its operations is running, on %s', (engine) => {
  let database: BlogDatabase;
  let before: string;

  beforeAll(async () => {
    database = await openBlogDatabase(engine, 1, TIMEOUT);
    before = await database.dump();
  }, 60_000);
  beforeEach(() => {
    database.statements.clear();
  });
  // An operation after the end of its transaction would run as the owner of the tables.
  afterEach(async () => {
    await sleep(50);
    expect(database.statements.all.at(-1)).toBe('ROLLBACK');
    expect(await database.dump()).toBe(before);
  });
  afterAll(() => database.close());

  it('waits for the operation if the callback rejects', async () => {
    const work = bound().$transaction(async (transaction) => {
      await Promise.all([transaction.post.update(ALIEN_COMMENT), failOnceWriting()]);
    });
    // On PGlite, the update may have failed before.
    await expect(work).rejects.toThrow(/Beside|42501/);
  });

  it('rejects operations that start after the callback has ended', async () => {
    let late: Promise<unknown> = Promise.resolve();
    const work = bound().$transaction(async (transaction) => {
      await transaction.post.count();
      // Starts during the rollback.
      setTimeout(() => {
        late = transaction.post.update(ALIEN_COMMENT);
        late.catch(() => undefined);
      });
      throw new Error('Done.');
    });
    await expect(work).rejects.toThrow('Done.');
    await sleep(20);
    await expect(late).rejects.toMatchObject({ code: 'P2028' });
    await expect(late).rejects.toBeInstanceOf(Prisma.PrismaClientKnownRequestError);
  });

  describe('its timeout', () => {
    beforeAll(async () => {
      await database.prisma.$executeRawUnsafe(
        `CREATE FUNCTION slow_down() RETURNS TRIGGER LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(${SLOWNESS / 1000}); RETURN NULL; END'`,
      );
      await database.prisma.$executeRawUnsafe('CREATE TRIGGER slow AFTER UPDATE ON "Post" FOR EACH STATEMENT EXECUTE FUNCTION slow_down()');
    });

    it('lets the running operation finish, and starts no other', async () => {
      const work = bound().$transaction(async (transaction) => {
        await transaction.post.update(ALIEN_COMMENT).catch(() => undefined);
        // PGlite blocks the event loop while it executes a statement, so that no timer fires.
        await sleep(10);
        return transaction.post.count();
      });
      await expect(work).rejects.toMatchObject({ name: 'PrismaClientKnownRequestError', code: 'P2028' });
      await expect(work).rejects.toBeInstanceOf(Prisma.PrismaClientKnownRequestError);
      await expect(work).rejects.toThrow(`It took longer than its timeout of ${TIMEOUT} ms.`);
    });

    it('does not apply to a single operation', async () => {
      await expect(bound().post.update(ALIEN_COMMENT)).rejects.toThrow('42501');
    });

    it('is enforced by PostgreSQL for a batch that has a timeout', async () => {
      const client = bound();
      await expect(client.$transaction([client.post.update(ALIEN_COMMENT)])).rejects.toThrow('42501');
      // PGlite cannot be interrupted.
      const limited = client.$transaction([client.post.update(ALIEN_COMMENT)], { timeout: TIMEOUT });
      await expect(limited).rejects.toThrow(engine === 'PGlite' ? '42501' : '57014');
    });
  });

  async function failOnceWriting(): Promise<never> {
    while (database.statements.writes.length === 0) await setImmediate();
    throw new Error('Beside.');
  }

  function bound() {
    return withRowLevelSecurity(database.prisma, { role: 'blog_app', settings: { 'app.user_id': 2 } });
  }
});
