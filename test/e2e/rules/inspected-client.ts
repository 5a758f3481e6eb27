import { ROLE } from './policies.js';

const BINDING = `SET LOCAL ROLE ${ROLE}`;

const DONE = new Error('Undone.');

/** The tables of the publisher. */
export const TABLES = [
  'User',
  'Profile',
  'Category',
  'Post',
  'Comment',
  'Tag',
  '_PostToTag',
  'Translation',
  'Country',
  'AuditEvent',
  'ApiToken',
];

/** The members of a client of any schema that the suites use. */
export interface InspectedPrisma extends OpenClient {
  $transaction<Result>(work: (open: OpenClient) => Promise<Result>, options: typeof PATIENT): Promise<Result>;
}

interface OpenClient {
  $executeRawUnsafe(sql: string): PromiseLike<number>;
  $queryRawUnsafe<Result = unknown>(sql: string): PromiseLike<Result>;
}

export interface Inspection {
  readonly caller: () => number | undefined;
  /** Whether policies of PostgreSQL restrict the caller. */
  readonly isBound: boolean;
  /** Receives all rows of the tables before a transaction is rolled back, and those that the caller may read under the policies. */
  readonly note: (state: string, readable: string) => void;
  /** @default those of the publisher */
  readonly tables?: readonly string[];
}

/** Returns a client that reads the state at the end of each transaction, and then rolls it back. */
export function inspectedClient(prisma: InspectedPrisma, { caller, isBound, note, tables }: Inspection): object {
  const $transaction = async (work: (open: object) => Promise<unknown>): Promise<unknown> => {
    let result: unknown;
    const run = prisma.$transaction(async (open) => {
      await open.$executeRawUnsafe(`SELECT set_config('app.user_id', '${caller() ?? ''}', true)`);
      if (isBound) await open.$executeRawUnsafe(BINDING);
      result = await work(open);
      await open.$executeRawUnsafe('RESET ROLE');
      const state = await readState(open, tables);
      await open.$executeRawUnsafe(BINDING);
      note(state, await readState(open, tables));
      throw DONE;
    }, PATIENT);
    await run.catch((error: unknown) => {
      if (error !== DONE) throw error;
    });
    return result;
  };
  return new Proxy({}, { get: (_, name): unknown => (name === '$transaction' ? $transaction : Reflect.get(prisma, name)) });
}

/** Longer than Prisma's default timeouts, which a busy machine may exceed. */
const PATIENT = { timeout: 60_000, maxWait: 60_000 };

/** Reads all rows of the tables, by table name. */
export async function readState(client: Pick<OpenClient, '$queryRawUnsafe'>, names: readonly string[] = TABLES): Promise<string> {
  const tables = names.map((name) => `(SELECT json_agg(to_json(t) ORDER BY to_json(t)::text)::text FROM "${name}" t) AS "${name}"`);
  return JSON.stringify(await client.$queryRawUnsafe(`SELECT ${tables.join(', ')}`));
}

/** Returns the rows of a state, each with the name of its table. */
export function rowsOf(state: string): readonly string[] {
  const [tables = {}] = JSON.parse(state) as readonly Readonly<Record<string, string | null>>[];
  return Object.entries(tables).flatMap(([name, rows]) =>
    (JSON.parse(rows ?? '[]') as readonly unknown[]).map((row) => name + JSON.stringify(row)),
  );
}

/** Returns SQL that resets all sequences to their current values, because a rollback does not. */
export async function sequencesOf(prisma: Pick<OpenClient, '$queryRawUnsafe'>): Promise<string> {
  const [found] = await prisma.$queryRawUnsafe<{ sql: string }[]>(
    "SELECT string_agg(format('setval(%L, %s)', quote_ident(sequencename), coalesce(last_value, 1)), ', ') AS sql FROM pg_sequences",
  );
  return `SELECT ${found?.sql ?? ''}`;
}

const STARTED = Date.now() - 5_000;

/** Replaces generated ids, which the audit log contains, too. */
export function withoutCuids(text: string): string {
  return text.replaceAll(/\bc[a-z0-9]{24}\b/g, 'cuid');
}

/** Replaces timestamps, which differ for each write. In a state they are quoted twice. */
export function withoutTime(text: string): string {
  return text.replaceAll(/\\?"20\d\d-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)?\\?"/g, (time) => {
    const plain = time.replaceAll(/[\\"]|Z|\+00:00/g, '');
    return Date.parse(`${plain}Z`) >= STARTED ? time.replace(plain, 'now').replace(/Z|\+00:00/, '') : time;
  });
}
