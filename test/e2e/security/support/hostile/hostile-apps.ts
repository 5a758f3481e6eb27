import type { LoggerService } from '@nestjs/common';
import { Pool } from 'pg';
import { defineRules, withSql } from '../../../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../../../support/database.js';
import type { PrismaClient } from '../../../../support/generated/prisma/client.js';
import { type Platform, startTestApp, type TestApp } from '../../../../support/test-app.js';
import { CLOSED_PARTS } from '../exposure.js';
import { CANARY } from './judge-response.js';
import { RawClient } from './raw-client.js';

/** Users are not created here: without the hidden and required `passwordHash`, that is the application's fault and a 500. */
const RESOURCES = { ...CLOSED_PARTS, User: { ...CLOSED_PARTS.User, actions: ['read', 'update', 'delete'] } } as const;

/** Returns a rule that hides rows whose text begins with the canary from all callers but their owner. */
const hiding = (field: string) => {
  const own = ({ headers }: { readonly headers: object }) =>
    'x-user-id' in headers && headers['x-user-id'] === 'owner' ? true : { NOT: { [field]: { startsWith: CANARY.row } } };
  return { read: own, create: true, update: own, delete: own };
};

const RULES = defineRules<PrismaClient>()({
  'User': hiding('name'),
  'Post': hiding('title'),
  'Comment': hiding('body'),
  'Category': hiding('name'),
  'Tag': hiding('name'),
  '*': true,
});

/**
 * The canary of a hidden row is only in the field that its rule reads. Because the applications without rules write to the same rows, a row
 * whose field they have changed is no longer hidden.
 */
const CANARIES = [
  `UPDATE "User" SET "passwordHash" = '${CANARY.field}-hash-' || id, "recoveryCode" = '${CANARY.field}-code-' || id, pin = '${CANARY.field}-pin-' || id`,
  `UPDATE "ApiToken" SET secret = '${CANARY.field}-secret-' || id`,
  `INSERT INTO "User" (id, email, name, "passwordHash", "updatedAt") VALUES (90, 'hidden-90@example.com', '${CANARY.row} user', '${CANARY.field}-hash', now())`,
  `INSERT INTO "Category" (id, slug, name, "parentId") VALUES (90, 'hidden-90', '${CANARY.row} category', 1)`,
  `INSERT INTO "Post" (id, title, content, "authorId", "categoryId", "updatedAt") VALUES (90, '${CANARY.row} post', '', 1, 1, now()), (91, '${CANARY.row} another', '', 90, 90, now())`,
  `INSERT INTO "Comment" (id, body, "postId", "authorId") VALUES (90, '${CANARY.row} comment', 1, 2), (91, '${CANARY.row} another', 91, 90)`,
  `INSERT INTO "Tag" (id, name) VALUES (90, '${CANARY.row} tag')`,
  `INSERT INTO "_PostToTag" ("A", "B") VALUES (1, 90), (90, 1)`,
];

/** Applications on one database: each engine, without rules and with rules that hide rows. */
export interface HostileApps {
  readonly apps: readonly HostileApp[];
  /** Every line that they have logged. */
  readonly log: readonly string[];
  /** Restores the rows that requests have changed. */
  readonly restore: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface HostileApp {
  readonly name: string;
  readonly hasRules: boolean;
  readonly client: RawClient;
  readonly app: TestApp;
}

export async function startHostileApps(platform: Platform): Promise<HostileApps> {
  const database = await openTestDatabase();
  const { prisma, connectionString } = database;
  const pool = connectionString === undefined ? undefined : new Pool({ connectionString, max: 5 });
  const inSql = withSql(prisma, pool ? { pool, writes: true } : {});
  const log: string[] = [];
  const note = (...texts: readonly unknown[]): void => void log.push(texts.map(String).join(' '));
  const logger: LoggerService = { log: () => undefined, error: note, warn: note, fatal: note };
  const apps = await Promise.all(
    [false, true].flatMap((hasRules) =>
      [prisma, inSql].map(async (client, index): Promise<HostileApp> => {
        const rules = hasRules ? { rules: RULES } : {};
        const rest = { operations: true, export: true } as const;
        const app = await startTestApp({ platform, logger, options: { resources: RESOURCES, getClient: () => client, rest, ...rules } });
        const name = `${index === 0 ? 'Prisma' : 'SQL'}${hasRules ? ' with rules' : ''}`;
        return { name, hasRules, app, client: new RawClient(Number(new URL(app.url).port)) };
      }),
    ),
  );
  const restore = (): Promise<void> => restoreRows(database);
  await restore();
  return {
    apps,
    log,
    restore,
    close: async () => {
      for (const { client } of apps) client.close();
      await Promise.all(apps.map(({ app }) => app.close()));
      await pool?.end();
      await database.close();
    },
  };
}

async function restoreRows(database: TestDatabase): Promise<void> {
  // The log has no statements of the separate pool of writes.
  database.statements.add('UPDATE');
  await database.reset();
  for (const statement of CANARIES) await database.prisma.$executeRawUnsafe(statement);
}
