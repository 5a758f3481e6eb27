import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { Pool } from 'pg';
import { type DeclinedSqlRead, withSql } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { readState } from '../rules/inspected-client.js';
import { logged } from './logged-pool.js';
import { masked } from './masked-answer.js';

/** An answer, and what the tables hold after it. */
export interface Outcome {
  readonly status: number;
  readonly text: string;
  readonly state: string;
}

export type Ask = (app: TestApp) => PromiseLike<Pick<Outcome, 'status' | 'text'>>;

export const rpc =
  (path: string, args: object): Ask =>
  (app) =>
    app.rpc.call(path, args);

type Client = TestDatabase['prisma'];

interface Started {
  readonly database: TestDatabase;
  readonly pool: Pool;
  readonly trips: string[][];
  /** The client whose writes are SQL. */
  readonly client: Client;
  readonly fast: TestApp;
  readonly plain: TestApp;
}

/** Two applications that differ only in whether writes are SQL, on a server: make it in a `describe`, so that its hooks are that block's. */
export class TwoWriters {
  /** What SQL has left to Prisma in this test. */
  readonly declined: DeclinedSqlRead[] = [];
  readonly #apps: TestApp[] = [];
  #started: Started | undefined;

  constructor() {
    beforeAll(async () => {
      const database = await openTestDatabase();
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

  get started(): Started {
    if (!this.#started) throw new Error('It is there once the tests run.');
    return this.#started;
  }

  /** A further application. */
  readonly start = async (getClient: () => object): Promise<TestApp> => {
    const app = await startTestApp({ platform: 'fastify', options: { getClient } });
    this.#apps.push(app);
    return app;
  };

  /** Begins from the base seed. */
  readonly restore = (): Promise<unknown> => this.started.database.prisma.$executeRawUnsafe('SELECT seed.restore()');

  /** @param maskOf an answer without what each write makes of its own */
  readonly outcomeOf = async (app: TestApp, ask: Ask, maskOf = maskedText): Promise<Outcome> => {
    await this.restore();
    const { status, text } = await ask(app);
    return { status, text: maskOf(status, text), state: masked(await readState(this.started.database.prisma)) };
  };

  /** Expects the same of both; returns the status, and why SQL has left anything to Prisma. */
  readonly compare = async (ask: Ask): Promise<readonly [status: number, ...reasons: string[]]> => {
    const { fast, plain } = this.started;
    const outcome = await this.outcomeOf(fast, ask);
    const reasons = this.declined.map(({ reason }) => reason);
    expect(outcome).toEqual(await this.outcomeOf(plain, ask));
    return [outcome.status, ...reasons];
  };

  /** Expects that both fail with the status, and that nothing is written. */
  readonly failAlike = async (status: number, ask: Ask): Promise<void> => {
    const { fast, plain } = this.started;
    const before = await this.outcomeOf(plain, rpc('tag/findUnique', { where: { id: 1 } }));
    expect((await this.compare(ask))[0]).toBe(status);
    expect((await this.outcomeOf(fast, ask)).state).toBe(before.state);
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
