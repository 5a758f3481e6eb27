import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { Pool } from 'pg';
import { type RulesOption, withSql } from '../../lib/index.js';
import { dumpOf } from './dump-of.js';
import { resourceSchema } from './generated/keys/resource-schema.js';
import { type KeysDatabase, KEYS_TABLES, openKeysDatabase } from './keys-database.js';
import { onPlatforms, startTestApp, type TestApp, type TestAppOptions } from './test-app.js';

const OPEN = { OR: [{ title: null }, { title: { not: 'forbidden' } }] };
const RULE = { read: OPEN, create: OPEN, update: OPEN, delete: OPEN };
const RULED = ['Doc', 'Big', 'Price', 'Level', 'Pair', 'Account', 'Seat', 'Row', 'Draft', 'Coupon', 'Entry', 'Work', 'Job'];

/** Open all rows, by conditions that every query has to enforce. */
const RULES: RulesOption = { ...Object.fromEntries(RULED.map((model) => [model, RULE])), '*': true };

/** The fixture of a suite, whose members may be used in its tests. */
export interface KeysSuite {
  readonly database: KeysDatabase;
  /** The application of an engine. */
  readonly appOf: (engine: Engine) => TestApp;
  /** All that the tables hold. */
  readonly dump: () => Promise<string>;
}

/** What the applications differ in. */
export const ENGINES = ['Prisma', 'SQL', 'Prisma under rules', 'SQL under rules'] as const;
export type Engine = (typeof ENGINES)[number];

/** Describes requests to the models of `keys.prisma`, by every engine. Every test starts from the seed. */
export function describeKeys(name: string, options: TestAppOptions['options'], tests: (suite: KeysSuite) => void): void {
  onPlatforms(name, (platform) => {
    const suite: { database?: KeysDatabase; apps: Map<string, TestApp>; pool?: Pool } = { apps: new Map() };
    beforeAll(async () => {
      const database = await openKeysDatabase();
      const { prisma, connectionString } = database;
      suite.database = database;
      if (connectionString !== undefined) suite.pool = new Pool({ connectionString, max: 2 });
      const sql = withSql(prisma, suite.pool ? { pool: suite.pool, writes: true } : {});
      for (const engine of ENGINES) {
        const rules = engine.endsWith('rules') ? { rules: RULES } : {};
        const client = engine.startsWith('SQL') ? sql : prisma;
        const own = { ...rules, schema: resourceSchema, getClient: () => client };
        suite.apps.set(engine, await startTestApp({ platform, options: { ...options, ...own } }));
      }
    });
    beforeEach(() => suite.database?.reset());
    afterAll(async () => {
      for (const app of suite.apps.values()) await app.close();
      await suite.pool?.end();
      await suite.database?.close();
    });
    tests({
      get database() {
        return opened(suite.database);
      },
      appOf: (engine) => opened(suite.apps.get(engine)),
      dump: () => dumpOf(opened(suite.database).prisma, KEYS_TABLES),
    });
  });
}

function opened<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('It is there once the tests run.');
  return value;
}
