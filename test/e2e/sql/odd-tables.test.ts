import { describe, expect, it } from '@jest/globals';
import { onDatabases } from '../../support/databases/this-database.js';
import { type Ask, rpc, twoWriters } from './two-writers.js';

const REFUSED = 'PostgreSQL refused the statement';

/** An answer of Prisma's that its own types do not say. */
const raw =
  (path: string, args: object): Ask =>
  ({ agent }) =>
    agent.post(`/api/rpc/${path}`).send(args);

const rest =
  (method: 'DELETE' | 'PATCH', path: string, data?: object): Ask =>
  (app) =>
    app.rest.request(method, path, data && { body: { data } });

onDatabases('postgresql-server').describe('writes of tables that do more than they are told', () => {
  const writers = twoWriters();
  const { withTrigger } = writers;

  /** Expects the same of both; returns the status, and why SQL has left this one to Prisma. */
  const compare: typeof writers.compare = (ask) => {
    writers.declined.length = 0;
    return writers.compare(ask);
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

  describe('that write no row', () => {
    it.each<[string, Ask]>([
      ['a delete', rpc('tag/delete', { where: { id: 1 } })],
      ['a delete of REST', rest('DELETE', '/tag/1')],
      ['an update', rpc('tag/update', { where: { id: 1 }, data: { name: 'x' } })],
      ['an update of REST', rest('PATCH', '/tag/1', { type: 'tag', id: 1, attributes: { name: 'x' } })],
    ])('undo what a trigger has done in place of %s', async (_, ask) => {
      const instead = 'UPDATE "Category" SET name = name || 1 WHERE id = 1;';
      await withTrigger('BEFORE UPDATE OR DELETE ON "Tag"', instead, async () => {
        expect(await compare(ask)).toEqual([404, REFUSED]);
      });
    });

    it.each<[string, number, Ask]>([
      ['an update', 404, rpc('tag/update', { where: { id: 99 }, data: { name: 'x' } })],
      ['a delete', 404, rest('DELETE', '/tag/99')],
      ['an update of many that refers to a row', 200, rpc('comment/updateMany', { where: { id: -1 }, data: { postId: 1 } })],
    ])('have a trigger of statements run as often as with Prisma: %s', async (_, status, ask) => {
      const counts = `'BEGIN UPDATE "Category" SET name = name || 1 WHERE id = 1; RETURN NULL; END'`;
      const triggers = ['Tag', 'Comment'].map(
        (table) => `CREATE TRIGGER counts AFTER UPDATE OR DELETE ON "${table}" FOR EACH STATEMENT EXECUTE FUNCTION counts()`,
      );
      const before = [`CREATE FUNCTION counts() RETURNS trigger LANGUAGE plpgsql AS ${counts}`, ...triggers];
      await meanwhile(before, ['DROP FUNCTION counts() CASCADE'], async () => {
        expect(await compare(ask)).toEqual([status, REFUSED]);
      });
    });

    it('answer as Prisma does where a trigger leaves out the new row', async () => {
      await withTrigger('BEFORE INSERT ON "Tag"', 'UPDATE "Category" SET name = name || 1 WHERE id = 1;', async () => {
        expect(await compare(raw('tag/create', { data: { name: 'x' } }))).toEqual([201, REFUSED]);
        expect(await compare(raw('tag/upsert', { where: { name: 'x' }, create: { name: 'x' }, update: { name: 'y' } }))).toEqual([
          200,
          REFUSED,
        ]);
      });
    });
  });

  it('write nothing where what they answer is a value that the schema does not know', async () => {
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

  it('are refused, as by Prisma, where a key is of two rows', async () => {
    const before = ['DROP INDEX "Tag_name_key"', `INSERT INTO seed."Tag" VALUES (50, 'nest')`];
    const after = ['DELETE FROM seed."Tag" WHERE id = 50', 'SELECT seed.restore()', 'CREATE UNIQUE INDEX "Tag_name_key" ON "Tag" (name)'];
    await meanwhile(before, after, async () => {
      expect(await compare(rpc('tag/delete', { where: { name: 'nest' } }))).toEqual([500, REFUSED]);
      expect(await compare(rpc('tag/update', { where: { name: 'nest' }, data: { name: 'x' } }))).toEqual([500, REFUSED]);
    });
  });

  it('leave a row alone whose key a new one turns out to have', async () => {
    await withTrigger('BEFORE INSERT ON "Tag"', 'NEW.name = lower(NEW.name); RETURN NEW;', async () => {
      const upsert = (name: string): Ask => raw('tag/upsert', { where: { name }, create: { name }, update: { name: 'x' } });
      expect(await compare(upsert('NEST'))).toEqual([200, REFUSED]);
      expect(await compare(upsert('nest'))).toEqual([200]);
    });
  });

  it('with rows of other tables are left to Prisma where these are partitioned, inherited or views, which may have triggers of their own', async () => {
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

  it('refer to a row by its key as it is stored', async () => {
    const before = [
      'ALTER TABLE "Warehouse" DROP CONSTRAINT "Warehouse_countryCode_fkey"',
      'ALTER TABLE "Warehouse" ALTER COLUMN "countryCode" TYPE varchar(2)',
      `INSERT INTO seed."Country" VALUES ('X', 'Short')`,
    ];
    await meanwhile(before, [], async () => {
      const create = (data: object): Ask => rpc('warehouse/create', { data: { name: 'New', ...data }, select: { countryCode: true } });
      expect(await compare(create({ country: { connect: { code: 'X' } } }))).toEqual([201, REFUSED]);
      expect(await compare(create({ countryCode: 'X' }))).toEqual([201, REFUSED]);
      expect(await compare(create({ country: { connect: { code: 'CH' } } }))).toEqual([201]);
    });
  });
});
