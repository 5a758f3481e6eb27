import { EMBEDDED } from '../../support/database.js';
import { PrismaClient } from '../../support/generated/prisma/client.js';
import { sample } from '../../support/sample.js';
import { openPglite } from '../../support/pglite-database.js';

/** What a test file may leave behind in the embedded database of its worker, and a query of one row, of which it changes each column. */
interface LeftBehind {
  readonly what: string;
  readonly statements: readonly string[];
  readonly question: string;
}

const LEFT_BEHIND: readonly LeftBehind[] = [
  {
    what: 'a privilege of a table',
    statements: ['GRANT SELECT ON public."User" TO PUBLIC'],
    question: `SELECT relacl::text FROM pg_class WHERE oid = 'public."User"'::regclass`,
  },
  {
    what: 'a privilege of a column',
    statements: ['GRANT SELECT ("email") ON public."User" TO PUBLIC'],
    question: `SELECT attacl::text FROM pg_attribute WHERE attrelid = 'public."User"'::regclass AND attname = 'email'`,
  },
  {
    what: 'a role with a setting',
    statements: ['CREATE ROLE left_behind', `ALTER ROLE left_behind SET work_mem = '5MB'`],
    question: `SELECT count(*)::int FROM pg_roles WHERE rolname = 'left_behind'`,
  },
  {
    what: 'a setting of the database',
    statements: [`ALTER DATABASE postgres SET timezone = 'Asia/Tokyo'`],
    question: 'SELECT count(*)::int FROM pg_db_role_setting',
  },
  {
    what: 'a setting of the server',
    statements: [`ALTER SYSTEM SET work_mem = '5MB'`],
    question: `SELECT pg_read_file('postgresql.auto.conf')`,
  },
  { what: 'a setting of the session', statements: [`SET search_path TO seed`], question: `SELECT current_setting('search_path')` },
  {
    what: 'a setting of an application, by value',
    statements: [`SELECT set_config('own.setting', '1', true)`],
    question: `SELECT current_setting('own.setting', true)`,
  },
  {
    what: 'a setting of an application, by name',
    statements: [`SET own.setting = '1'`],
    question: `SELECT current_setting('own.setting', true)`,
  },
  {
    what: 'a table',
    statements: ['CREATE TABLE public."LeftBehind" (id int)'],
    question: `SELECT count(*)::int FROM pg_class WHERE relname = 'LeftBehind'`,
  },
  {
    what: 'a column',
    statements: ['ALTER TABLE public."Tag" ADD COLUMN "leftBehind" int'],
    question: `SELECT count(*)::int FROM pg_attribute WHERE attname = 'leftBehind'`,
  },
  {
    what: 'a function and its trigger',
    statements: [
      'CREATE FUNCTION left_behind() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
      'CREATE TRIGGER left_behind BEFORE INSERT ON public."Tag" FOR EACH ROW EXECUTE FUNCTION left_behind()',
    ],
    question: `SELECT count(*)::int FROM pg_trigger WHERE tgname = 'left_behind'`,
  },
  {
    what: 'a policy',
    statements: ['CREATE POLICY left_behind ON public."Tag" USING (false)', 'ALTER TABLE public."Tag" ENABLE ROW LEVEL SECURITY'],
    question: 'SELECT count(*)::int FROM pg_policy',
  },
  {
    what: 'a temporary table in the way of another',
    statements: ['CREATE TEMPORARY TABLE "Tag" (id int)'],
    question: `SELECT count(*)::int FROM pg_class WHERE relname = 'Tag'`,
  },
  {
    what: 'another seed',
    statements: [`UPDATE seed."Tag" SET name = 'left behind' WHERE id = 1`],
    question: 'SELECT name FROM seed."Tag" WHERE id = 1',
  },
  {
    what: 'something that a mere SELECT made',
    statements: ['SELECT lo_create(4711)'],
    question: 'SELECT count(*)::int FROM pg_largeobject_metadata',
  },
  {
    what: 'a lock',
    statements: ['SELECT pg_advisory_lock(4711)'],
    question: `SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory'`,
  },
  {
    what: 'another role',
    statements: ['CREATE ROLE another_role SUPERUSER', 'SET ROLE another_role'],
    question: 'SELECT current_user::text',
  },
];

/** Each alone takes a new database; in `npm test` all at once. */
const CASES = sample.choose([allOf(LEFT_BEHIND)], LEFT_BEHIND);

describe('an embedded database that another test file had before', () => {
  it.each(CASES)('does not keep $what', async ({ statements, question }) => {
    const first = await borrow();
    const before = await first.query(question);
    for (const statement of statements) await first.execute(statement);
    const [changed] = await first.query(question);
    expect(Object.entries(before[0] ?? {}).filter(([column, value]) => changed?.[column] === value)).toEqual([]);
    await first.giveBack();

    const second = await borrow();
    expect(await second.query(question)).toEqual(before);
    await second.giveBack();
  });

  it('has no setting that a transaction of the other file made', async () => {
    const question = `SELECT current_setting('own.transaction', true) AS setting`;
    const first = await borrow();
    await first.inTransaction([`SELECT set_config('own.transaction', '1', true)`]);
    expect(await first.query(question)).toEqual([{ setting: '' }]);
    await first.giveBack();

    const second = await borrow();
    expect(await second.query(question)).toEqual([{ setting: null }]);
    await second.giveBack();
  });

  it('is not in a transaction that the other file left open', async () => {
    const first = await borrow();
    await first.query('BEGIN');
    await expect(first.query('SELECT 1 / 0')).rejects.toThrow(/division/);
    await first.giveBack();

    const second = await borrow();
    expect(await second.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await second.giveBack();
  });

  it('is used again where the other file wrote rows alone', async () => {
    const first = await borrow();
    const server = await first.query('SELECT pg_postmaster_start_time()');
    await first.execute(`INSERT INTO "Tag" (name) VALUES ('left behind')`);
    await first.inTransaction([`INSERT INTO "Tag" (name) VALUES ('left behind, too')`]);
    await first.execute(`SELECT set_config('statement_timeout', '1000', false)`);
    await first.giveBack();

    const second = await borrow();
    expect(await second.query('SELECT pg_postmaster_start_time()')).toEqual(server);
    expect(await second.query(`SELECT current_setting('statement_timeout') AS time`)).toEqual([{ time: '0' }]);
    await second.giveBack();
  });
});

function allOf(cases: readonly LeftBehind[]): LeftBehind {
  const questions = cases.map(({ question, what }) => `(${question}) AS "${what}"`);
  return {
    what: 'all that can be left behind',
    statements: cases.flatMap(({ statements }) => statements),
    question: `SELECT ${questions.join(', ')}`,
  };
}

interface Borrowed {
  readonly query: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  readonly execute: (sql: string) => Promise<unknown>;
  readonly inTransaction: (statements: readonly string[]) => Promise<unknown>;
  readonly giveBack: () => Promise<void>;
}

async function borrow(): Promise<Borrowed> {
  const { adapter, close } = await openPglite(EMBEDDED);
  const prisma = new PrismaClient({ adapter });
  await prisma.$executeRawUnsafe('SELECT seed.restore()');
  return {
    query: (sql) => prisma.$queryRawUnsafe(sql),
    execute: (sql) => prisma.$executeRawUnsafe(sql),
    inTransaction: (statements) => prisma.$transaction(statements.map((sql) => prisma.$executeRawUnsafe(sql))),
    giveBack: async () => {
      await prisma.$disconnect();
      await close();
    },
  };
}
