import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { Pool } from 'pg';
import { type DeclinedSqlRead, withSql } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.js';
import { readState } from '../rules/inspected-client.js';
import { logged } from './logged-pool.js';
import { masked, maskedAnswer } from './masked-answer.js';

/** A response, and the rows of the tables after it. */
export interface Outcome {
  readonly status: number;
  readonly text: string;
  readonly state: string;
}

export type Send = (app: TestApp) => PromiseLike<Pick<Outcome, 'status' | 'text'>>;

export const rpc =
  (path: string, args: object): Send =>
  (app) =>
    app.rpc.call(path, args);

/** The database that two applications write into. */
export interface WrittenSetup<Database extends WrittenDatabase> {
  readonly open: () => Promise<Database>;
  /** Restores the seed. */
  readonly restore: (database: Database) => Promise<unknown>;
  /** Of both applications. */
  readonly app?: Pick<TestAppOptions, 'options'>;
  /** The tables whose rows are compared. @default those of the publisher */
  readonly tables?: readonly string[];
}

export interface WrittenDatabase {
  readonly prisma: RawClient;
  readonly connectionString?: string | undefined;
  readonly close: () => Promise<void>;
}

interface RawClient {
  $executeRawUnsafe(sql: string): PromiseLike<number>;
  $queryRawUnsafe<Result = unknown>(sql: string): PromiseLike<Result>;
}

export const PUBLISHER: WrittenSetup<TestDatabase> = {
  open: openTestDatabase,
  restore: ({ prisma }) => prisma.$executeRawUnsafe('SELECT seed.restore()'),
};

/** On the database of the publisher. */
export function twoWriters(): TwoWriters<TestDatabase> {
  return new TwoWriters(PUBLISHER);
}

interface Started<Database extends WrittenDatabase> {
  readonly database: Database;
  readonly pool: Pool;
  readonly trips: string[][];
  /** The client whose writes are SQL. */
  readonly client: Database['prisma'];
  readonly fast: TestApp;
  readonly plain: TestApp;
}

interface Compared {
  readonly status: number;
  readonly isInSql: boolean;
}

/** Counts the successful writes, and those that SQL has executed. */
export class Share {
  #done = 0;
  #inSql = 0;

  add({ status, isInSql }: Compared): void {
    if (status >= 300) return;
    this.#done++;
    if (isInSql) this.#inSql++;
  }

  /** Expects that SQL has executed more than `least` writes, and Prisma less than a tenth of them, with a tolerance for few requests. */
  expectMost(least: number): void {
    const [tenth, byPrisma] = [this.#done / 10, this.#done - this.#inSql];
    expect(this.#inSql).toBeGreaterThan(least);
    expect(byPrisma).toBeLessThanOrEqual(tenth + 3 * Math.sqrt(tenth) + 1);
  }
}

/** Two applications on a server that differ only in SQL writes. Create it in a `describe`, to whose block its hooks belong. */
export class TwoWriters<Database extends WrittenDatabase> {
  /** The writes that SQL has declined in this test. */
  readonly declined: DeclinedSqlRead[] = [];
  readonly #apps: TestApp[] = [];
  #started: Started<Database> | undefined;

  constructor(private readonly setup: WrittenSetup<Database>) {
    beforeAll(async () => {
      const database = await setup.open();
      const { prisma, connectionString } = database;
      const pool = new Pool({ connectionString, max: 2, statement_timeout: 4_000 });
      const trips = logged(pool);
      const client = withSql(prisma, { pool, writes: true, onDecline: (one) => this.declined.push(one) });
      const [fast, plain] = [await this.start(() => client), await this.start(() => prisma)];
      this.#started = { database, pool, trips, client, fast, plain };
    }, 60_000);
    beforeEach(() => {
      this.declined.length = 0;
      this.started.trips.length = 0;
    });
    afterAll(async () => {
      for (const app of this.#apps) await app.close();
      await this.#started?.pool.end();
      await this.#started?.database.close();
    });
  }

  get started(): Started<Database> {
    if (!this.#started) throw new Error('It is there once the tests run.');
    return this.#started;
  }

  /** A further application. */
  readonly start = async (getClient: () => object): Promise<TestApp> => {
    const app = await startTestApp({ platform: 'fastify', options: { ...this.setup.app?.options, getClient } });
    this.#apps.push(app);
    return app;
  };

  /** Restores the seed. */
  readonly restore = (): Promise<unknown> => this.setup.restore(this.started.database);

  /** @param maskOf returns a response without generated values */
  readonly outcomeOf = async (app: TestApp, send: Send, maskOf = maskedText): Promise<Outcome> => {
    await this.restore();
    const { status, text } = await send(app);
    return { status, text: maskOf(status, text), state: masked(await readState(this.started.database.prisma, this.setup.tables)) };
  };

  /**
   * Expects the same from both. If Prisma has executed both writes, the order of lists is undefined, and the ids of new rows may differ after an attempt
   * in SQL.
   *
   * @returns the status, and whether SQL has executed the write
   */
  readonly compareWrites = async (
    send: Send,
    { fast, plain }: Pick<Started<Database>, 'fast' | 'plain'> = this.started,
  ): Promise<Compared> => {
    const before = this.declined.length;
    this.started.trips.length = 0;
    const outcome = await this.outcomeOf(fast, send, maskedAnswer);
    const { status, state, text } = outcome;
    const isInSql = this.declined.length === before;
    const isTried = this.started.trips.flat().some((one) => one.includes('INSERT'));
    const expected = await this.outcomeOf(plain, send, maskedAnswer);
    if (isInSql || status >= 400) expect(outcome).toEqual(expected);
    else if (!isTried) expect(outcome).toEqual({ ...expected, text });
    else expect([status, rowsIn(state)]).toEqual([expected.status, rowsIn(expected.state)]);
    return { status, isInSql };
  };

  /** Expects the same from both. Returns the status, and the reasons if SQL has declined anything. */
  readonly compare = async (send: Send): Promise<readonly [status: number, ...reasons: string[]]> => {
    const { fast, plain } = this.started;
    const outcome = await this.outcomeOf(fast, send);
    const reasons = this.declined.map(({ reason }) => reason);
    expect(outcome).toEqual(await this.outcomeOf(plain, send));
    return [outcome.status, ...reasons];
  };

  /** Expects that both fail with the status, and that nothing is written. */
  readonly failAlike = async (status: number, send: Send): Promise<void> => {
    const { fast, plain } = this.started;
    const before = await this.outcomeOf(plain, rpc('tag/findUnique', { where: { id: 1 } }));
    expect((await this.compare(send))[0]).toBe(status);
    expect((await this.outcomeOf(fast, send)).state).toBe(before.state);
  };

  /** Runs while a table has a trigger. @param when of the trigger, e.g. `AFTER INSERT ON "Comment"` @param body in PL/pgSQL */
  readonly withTrigger = async (when: string, body: string, run: () => Promise<void>): Promise<void> => {
    const { prisma } = this.started.database;
    await prisma.$executeRawUnsafe(`CREATE FUNCTION triggered() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN ${body} RETURN NULL; END'`);
    await prisma.$executeRawUnsafe(`CREATE TRIGGER triggered ${when} FOR EACH ROW EXECUTE FUNCTION triggered()`);
    try {
      await run();
    } finally {
      await prisma.$executeRawUnsafe('DROP FUNCTION triggered() CASCADE');
    }
  };
}

function maskedText(_: number, text: string): string {
  return masked(text);
}

/** How many rows there are of each table. */
function rowsIn(state: string): object {
  const [tables = {}] = JSON.parse(state) as readonly Readonly<Record<string, string | null>>[];
  return Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, (JSON.parse(rows ?? '[]') as unknown[]).length]));
}
