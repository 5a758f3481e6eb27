import { describe, expect, it } from '@jest/globals';
import { onDatabases } from '../../support/databases/this-database.js';
import { type Send, rpc, twoWriters } from './two-writers.js';

const REFUSED = 'PostgreSQL refused the statement';

/** Sends a request whose result Prisma's types do not describe. */
const raw =
  (path: string, args: object): Send =>
  ({ agent }) =>
    agent.post(`/api/rpc/${path}`).send(args);

const rest =
  (method: 'DELETE' | 'PATCH', path: string, data?: object): Send =>
  (app) =>
    app.rest.request(method, path, data && { body: { data } });

onDatabases('postgresql-server').describe('writes of tables with triggers, without unique keys, and of views', () => {
  const writers = twoWriters();
  const { withTrigger } = writers;

  /** Expects the same from both. Returns the status, and the reason if SQL has declined the write. */
  const compare: typeof writers.compare = (send) => {
    writers.declined.length = 0;
    return writers.compare(send);
  };

  /** Runs statements before and after the work. */
  async function meanwhile(before: readonly string[], after: readonly string[], work: () => Promise<void>): Promise<void> {
    const { prisma } = writers.started.database;
    for (const statement of before) await prisma.$executeRawUnsafe(statement);
    try {
      await work();
    } finally {
      for (const statement of after) await prisma.$executeRawUnsafe(statement);
    }
  }

  describe('whose row a trigger skips', () => {
    it.each<[string, Send]>([
      ['a delete', rpc('tag/delete', { where: { id: 1 } })],
      ['a delete of REST', rest('DELETE', '/tag/1')],
      ['an update', rpc('tag/update', { where: { id: 1 }, data: { name: 'x' } })],
      ['an update of REST', rest('PATCH', '/tag/1', { type: 'tag', id: 1, attributes: { name: 'x' } })],
    ])('are a 404 that rolls back the writes of the trigger, for %s', async (_, send) => {
      const instead = 'UPDATE "Category" SET name = name || 1 WHERE id = 1;';
      await withTrigger('BEFORE UPDATE OR DELETE ON "Tag"', instead, async () => {
        expect(await compare(send)).toEqual([404, REFUSED]);
      });
    });

    it.each<[string, number, Send]>([
      ['an update', 404, rpc('tag/update', { where: { id: 99 }, data: { name: 'x' } })],
      ['a delete', 404, rest('DELETE', '/tag/99')],
      ['an update of many that refers to a row', 200, rpc('comment/updateMany', { where: { id: -1 }, data: { postId: 1 } })],
    ])('run a statement trigger as often as with Prisma: %s', async (_, status, send) => {
      const counts = `'BEGIN UPDATE "Category" SET name = name || 1 WHERE id = 1; RETURN NULL; END'`;
      const triggers = ['Tag', 'Comment'].map(
        (table) => `CREATE TRIGGER counts AFTER UPDATE OR DELETE ON "${table}" FOR EACH STATEMENT EXECUTE FUNCTION counts()`,
      );
      const before = [`CREATE FUNCTION counts() RETURNS trigger LANGUAGE plpgsql AS ${counts}`, ...triggers];
      await meanwhile(before, ['DROP FUNCTION counts() CASCADE'], async () => {
        expect(await compare(send)).toEqual([status, REFUSED]);
      });
    });

    it('return the same result as Prisma for a new row that a trigger skips', async () => {
      await withTrigger('BEFORE INSERT ON "Tag"', 'UPDATE "Category" SET name = name || 1 WHERE id = 1;', async () => {
        expect(await compare(raw('tag/create', { data: { name: 'x' } }))).toEqual([201, REFUSED]);
        expect(await compare(raw('tag/upsert', { where: { name: 'x' }, create: { name: 'x' }, update: { name: 'y' } }))).toEqual([
          200,
          REFUSED,
        ]);
      });
    });
  });

  it('write nothing if the result has a value that the schema does not allow', async () => {
    const typed = (type: string): readonly string[] =>
      ['public', 'seed'].map((schema) => `ALTER TABLE ${schema}."User" ALTER COLUMN role TYPE ${type} USING role::${type}`);
    const before = [
      'ALTER TABLE "User" ALTER COLUMN role DROP DEFAULT',
      ...typed('text'),
      `UPDATE seed."User" SET role = 'OWNER' WHERE id = 1`,
      `UPDATE seed."Post" SET keywords = '{a,NULL}' WHERE id = 1`,
    ];
    const after = [
      `UPDATE seed."Post" SET keywords = '{alpha}' WHERE id = 1`,
      `UPDATE seed."User" SET role = 'ADMIN' WHERE id = 1`,
      'SELECT seed.restore()',
      ...typed('"Role"'),
      `ALTER TABLE "User" ALTER COLUMN role SET DEFAULT 'READER'`,
    ];
    await meanwhile(before, after, async () => {
      for (const select of [undefined, { id: true, role: true }, { id: true, role: true, posts: true }]) {
        const args = { where: { id: 1 }, data: { name: 'Changed' }, ...(select && { select }) };
        expect((await compare(rpc('user/update', args)))[0]).toBe(500);
      }
      expect(await compare(rpc('user/update', { where: { id: 1 }, data: { name: 'Changed' }, select: { id: true } }))).toEqual([200]);
      await compare(rpc('post/update', { where: { id: 1 }, data: { title: 'Changed' } }));
    });
  });

  it('are rejected, as by Prisma, if two rows have the key', async () => {
    const before = ['DROP INDEX "Tag_name_key"', `INSERT INTO seed."Tag" VALUES (50, 'nest')`];
    const after = ['DELETE FROM seed."Tag" WHERE id = 50', 'SELECT seed.restore()', 'CREATE UNIQUE INDEX "Tag_name_key" ON "Tag" (name)'];
    await meanwhile(before, after, async () => {
      expect(await compare(rpc('tag/delete', { where: { name: 'nest' } }))).toEqual([500, REFUSED]);
      expect(await compare(rpc('tag/update', { where: { name: 'nest' }, data: { name: 'x' } }))).toEqual([500, REFUSED]);
    });
  });

  it('do not update, as an upsert, a row whose key a trigger gives to the new one', async () => {
    await withTrigger('BEFORE INSERT ON "Tag"', 'NEW.name = lower(NEW.name); RETURN NEW;', async () => {
      const upsert = (name: string): Send => raw('tag/upsert', { where: { name }, create: { name }, update: { name: 'x' } });
      expect(await compare(upsert('NEST'))).toEqual([200, REFUSED]);
      expect(await compare(upsert('nest'))).toEqual([200]);
    });
  });

  it('that nest rows are executed by Prisma if the tables of these are partitioned, inherited or views, which may have other triggers', async () => {
    const columns = `LIKE comment_rows INCLUDING DEFAULTS, PRIMARY KEY (id), FOREIGN KEY ("postId") REFERENCES "Post" ON DELETE CASCADE`;
    const counts = `'BEGIN UPDATE "Post" SET "viewCount" = "viewCount" + 1 WHERE id = NEW."postId"; RETURN NEW; END'`;
    const before = [
      'ALTER TABLE "Comment" RENAME TO comment_rows',
      `CREATE TABLE "Comment" (${columns}) PARTITION BY RANGE (id)`,
      'CREATE TABLE comment_part PARTITION OF "Comment" DEFAULT',
      `CREATE FUNCTION counts() RETURNS trigger LANGUAGE plpgsql AS ${counts}`,
      'CREATE TRIGGER counts AFTER INSERT OR UPDATE ON comment_part FOR EACH ROW EXECUTE FUNCTION counts()',
      'ALTER TABLE "Category" RENAME TO category_rows',
      'CREATE VIEW "Category" AS SELECT * FROM category_rows',
    ];
    const after = [
      ...['DROP TABLE "Comment"', 'ALTER TABLE comment_rows RENAME TO "Comment"', 'DROP FUNCTION counts() CASCADE'],
      ...['DROP VIEW "Category"', 'ALTER TABLE category_rows RENAME TO "Category"'],
    ];
    await meanwhile(before, after, async () => {
      const data = { title: 'New', authorId: 1, comments: { create: [{ body: 'a' }, { body: 'b' }] } };
      expect(await compare(rpc('post/create', { data }))).toEqual([201, REFUSED]);
      const connected = { title: 'New', comments: { connect: [{ id: 3 }] } };
      expect(await compare(rpc('post/update', { where: { id: 1 }, data: connected }))).toEqual([200, REFUSED]);
      const posts = { connect: { id: 4 } };
      expect(await compare(rpc('category/update', { where: { id: 1 }, data: { name: 'x', posts } }))).toEqual([200, REFUSED]);
    });
  });

  it('reference a row by its stored key', async () => {
    const before = [
      'ALTER TABLE "Warehouse" DROP CONSTRAINT "Warehouse_countryCode_fkey"',
      'ALTER TABLE "Warehouse" ALTER COLUMN "countryCode" TYPE varchar(2)',
      `INSERT INTO seed."Country" VALUES ('X', 'Short')`,
    ];
    await meanwhile(before, [], async () => {
      const create = (data: object): Send => rpc('warehouse/create', { data: { name: 'New', ...data }, select: { countryCode: true } });
      expect(await compare(create({ country: { connect: { code: 'X' } } }))).toEqual([201, REFUSED]);
      expect(await compare(create({ countryCode: 'X' }))).toEqual([201, REFUSED]);
      expect(await compare(create({ country: { connect: { code: 'CH' } } }))).toEqual([201]);
    });
  });
});
