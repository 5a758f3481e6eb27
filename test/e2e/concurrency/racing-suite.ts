import { Module } from '@nestjs/common';
import { Client, Pool } from 'pg';
import { setTimeout } from 'node:timers/promises';
import { AfterWrite, BeforeWrite, ResourceHooks, type ResourceApiOptions, type ResourcesOption, withSql } from '../../../lib/index.js';
import { resourceSchema } from '../../support/generated/tasks/resource-schema.js';
import { openTasksDatabase, type TasksDatabase } from '../../support/tasks-database.js';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.js';

const TABLES = ['Person', 'Task', 'Comment', 'Reaction', 'Attachment', 'Reminder', 'Label', '_LabelToTask', 'Note'];

/** Task 3 has a parent, a reviewer, a note and a label, so that it can be written through each relation. */
const PREPARED = [
  'SELECT reset_rows()',
  `UPDATE "Task" SET "reviewerId" = 1, "parentId" = 2 WHERE "id" = 3`,
  `UPDATE "Note" SET "taskId" = 3 WHERE "id" = 3`,
  `INSERT INTO "_LabelToTask" VALUES (1, 3)`,
];

@ResourceHooks('Task')
class TaskHooks {
  @BeforeWrite('update', { before: true })
  @BeforeWrite('delete', { before: true })
  @AfterWrite('update')
  @AfterWrite('delete')
  @BeforeWrite('create')
  observe(): void {
    // The existence of a hook makes the API decompose writes.
  }
}

@Module({ providers: [TaskHooks] })
class HookModule {}

const SOFT_DELETES: ResourcesOption = {
  Task: { softDelete: 'deletedAt' },
  Comment: { softDelete: 'deletedAt' },
  Note: { softDelete: 'deletedAt' },
};

const RULES: ResourceApiOptions['rules'] = {
  'Task': { 'read': { id: { gt: 0 } }, 'create': true, '*': { ownerId: { gt: 0 } } },
  'Comment': { 'read': { id: { gt: 0 } }, '*': true },
  '*': true,
};

interface EngineSetup extends Pick<TestAppOptions, 'imports'> {
  readonly options?: Partial<ResourceApiOptions>;
  readonly writesInSql?: boolean;
}

/** The engines that may execute a write. */
export const ENGINES = {
  'Prisma': {},
  'Prisma with rules': { options: { rules: RULES } },
  'Prisma with hooks': { imports: [HookModule] },
  'Prisma with soft delete': { options: { resources: SOFT_DELETES } },
  'SQL': { writesInSql: true },
  'SQL with rules': { writesInSql: true, options: { rules: RULES } },
  'SQL with soft delete': { writesInSql: true, options: { resources: SOFT_DELETES } },
  'SQL with rules, hooks and soft delete': { writesInSql: true, options: { rules: RULES, resources: SOFT_DELETES }, imports: [HookModule] },
} as const satisfies Readonly<Record<string, EngineSetup>>;

export type Engine = keyof typeof ENGINES;

/** A request, and its status. */
export type Send = (app: TestApp) => PromiseLike<{ readonly status: number; readonly text: string }>;

/** The response to a request, and the rows after both writes. */
export interface Outcome {
  readonly status: number;
  readonly text: string;
  /** Whether the request has waited for the other writer. */
  readonly hasWaited: boolean;
  /** The rows of all tables. */
  readonly state: string;
}

/** Two concurrent writers of one database: requests to the API, and a separate connection that holds the lock of a row. */
export class RacingSuite {
  #database: TasksDatabase | undefined;
  #other: Client | undefined;
  #watching: Client | undefined;
  #pool: Pool | undefined;
  readonly #apps = new Map<string, Promise<TestApp>>();

  constructor(
    private readonly options: Partial<ResourceApiOptions> = {},
    private readonly imports: TestAppOptions['imports'] = [],
  ) {
    beforeAll(async () => {
      this.#database = await openTasksDatabase();
      const { connectionString } = this.#database;
      this.#other = new Client({ connectionString });
      this.#watching = new Client({ connectionString });
      this.#pool = new Pool({ connectionString, max: 3 });
      await Promise.all([this.#other.connect(), this.#watching.connect()]);
    }, 60_000);
    afterAll(async () => {
      for (const app of this.#apps.values()) await (await app).close();
      await Promise.all([this.#other?.end(), this.#watching?.end(), this.#pool?.end()]);
      await this.#database?.close();
    });
  }

  /** The application of an engine, started once. */
  app(engine: Engine): Promise<TestApp> {
    const started = this.#apps.get(engine) ?? this.#start(ENGINES[engine]);
    this.#apps.set(engine, started);
    return started;
  }

  #start({ options = {}, writesInSql, imports = [] }: EngineSetup): Promise<TestApp> {
    const { prisma } = required(this.#database);
    const client = writesInSql ? withSql(prisma, { pool: required(this.#pool), writes: true }) : prisma;
    return startTestApp({
      platform: 'fastify',
      options: {
        schema: resourceSchema,
        getClient: () => client,
        limits: { maxDuration: Infinity },
        ...this.options,
        ...options,
        resources: { ...this.options.resources, ...options.resources },
        rest: { operations: true },
      },
      imports: [...imports, ...(this.imports ?? [])],
    });
  }

  /** Sends a request while the change of another transaction is uncommitted. Commits it once the request waits for the lock, or is answered. */
  async race(app: TestApp, change: string, send: Send): Promise<Outcome> {
    const other = required(this.#other);
    await this.#prepare();
    await other.query('BEGIN');
    await other.query(change);
    const progress = { isAnswered: false };
    const sent = Promise.resolve(send(app)).finally(() => (progress.isAnswered = true));
    sent.catch(() => undefined);
    let hasWaited = false;
    while (!progress.isAnswered && !hasWaited) {
      hasWaited = await this.#isWaiting();
      if (!hasWaited) await setTimeout(2);
    }
    await other.query('COMMIT');
    const { status, text } = await sent;
    return { status, text, hasWaited, state: await this.#state() };
  }

  /** Sends a request alone. */
  async alone(app: TestApp, send: Send): Promise<Outcome> {
    await this.#prepare();
    const { status, text } = await send(app);
    return { status, text, hasWaited: false, state: await this.#state() };
  }

  /** Returns the rows after a change of only the other writer. */
  async stateAfter(change: string): Promise<string> {
    await this.#prepare();
    await required(this.#other).query(change);
    return this.#state();
  }

  async #prepare(): Promise<void> {
    for (const statement of PREPARED) await required(this.#other).query(statement);
  }

  async #isWaiting(): Promise<boolean> {
    const { rows } = await required(this.#watching).query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' LIMIT 1",
    );
    return rows.length > 0;
  }

  async #state(): Promise<string> {
    const tables = TABLES.map((name) => `(SELECT json_agg(to_json(t) ORDER BY to_json(t)::text)::text FROM "${name}" t) AS "${name}"`);
    const { rows } = await required(this.#watching).query<Record<string, string>>(`SELECT ${tables.join(', ')}`);
    return Object.entries(rows[0] ?? {})
      .map(([name, text]) => `${name} ${text}`)
      .join('\n');
  }
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('It is there once the tests run.');
  return value;
}
