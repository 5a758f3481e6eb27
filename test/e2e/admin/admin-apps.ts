import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { Module } from '@nestjs/common';
import { z } from 'zod';
import { createRpcClient, type RpcFetch } from '../../../lib/client/index.js';
import { type ActionOf, granted, ResourceAction, ResourceActions, withSql } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { resourceSchema as tasksSchema } from '../../support/generated/tasks/resource-schema.js';
import { openTasksDatabase, type TasksDatabase } from '../../support/tasks-database.js';
import { onPlatforms, startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.js';
import { GRANTED_RESOURCES, GRANTS } from '../grants/support/granted-resources.js';

@ResourceActions('Post')
class PostActions {
  @ResourceAction({ body: z.object({ note: z.string().min(3) }) })
  publish({ record, body, client }: ActionOf<PrismaClient, 'Post', { note: string }>) {
    return client.post.update({ where: { id: record.id }, data: { content: body.note } });
  }

  @ResourceAction({ on: 'collection', right: 'read' })
  async newest({ client }: ActionOf<PrismaClient, 'Post'>) {
    return { newest: await client.post.count() };
  }
}

@Module({ providers: [PostActions] })
class ApplicationModule {}

/** The application of one engine, with clients of an admin interface. */
export interface AdminSuite<Database> {
  readonly database: Database;
  /** The requests that clients have sent since the test began: method and path below the prefix, without the argument. */
  readonly requests: string[];
  readonly endpoint: string;
  /** The number of responses with status 304 since the test began. */
  notModified(): number;
  /** Returns another client, of a caller with these grants. */
  clientFor(grants?: string): ReturnType<typeof createRpcClient>;
}

const TAKE = 40;
const OF_HR = { create: granted('hr') };
const RESOURCES = { ...GRANTED_RESOURCES, Profile: { fields: { user: OF_HR, userId: OF_HR } } };

/** Describes admin interfaces on the models of `schema.prisma`, by both engines. Reads return at most 40 rows; filters have at most 30 terms. */
export function describeAdmin(name: string, tests: (suite: AdminSuite<TestDatabase>) => void): void {
  const options = { limits: { maxTake: TAKE, maxFilterTerms: 30 }, resources: RESOURCES, grants: GRANTS };
  describeEngines(name, { open: openTestDatabase, setup: { options, imports: [ApplicationModule] } }, tests);
}

/** Describes tests on the models of `tasks.prisma`, which have versions and soft delete. */
export function describeTaskAdmin(name: string, tests: (suite: AdminSuite<TasksDatabase>) => void): void {
  const resources = { Task: { softDelete: 'deletedAt' }, Person: { softDelete: 'deletedAt' } };
  describeEngines(name, { open: openTasksDatabase, setup: { options: { schema: tasksSchema, resources } } }, tests);
}

interface AnyDatabase {
  readonly prisma: object;
  readonly reset: () => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Engines<Database> {
  readonly open: () => Promise<Database>;
  readonly setup: Omit<TestAppOptions, 'platform'>;
}

function describeEngines<Database extends AnyDatabase>(
  name: string,
  { open, setup }: Engines<Database>,
  tests: (suite: AdminSuite<Database>) => void,
): void {
  onPlatforms(name, (platform) => {
    let database: Database;
    beforeAll(async () => {
      database = await open();
    }, 120_000);
    beforeEach(() => database.reset());
    afterAll(() => database.close());
    describe.each(['Prisma', 'SQL'])('by %s', (engine) => {
      let app: TestApp;
      const requests: string[] = [];
      let notModified = 0;
      beforeAll(async () => {
        const client = engine === 'SQL' ? withSql(database.prisma as PrismaClient) : database.prisma;
        app = await startTestApp({ ...setup, platform, options: { ...setup.options, getClient: () => client } });
      }, 120_000);
      beforeEach(() => {
        requests.length = 0;
        notModified = 0;
      });
      afterAll(() => app.close());
      const recorded: RpcFetch = async (url, init) => {
        requests.push(`${init.method} ${url.replace(/^.*\/api\/rpc\/|\?.*$/g, '')}`);
        const response = await fetch(url, init);
        if (response.status === 304) notModified += 1;
        return response;
      };
      tests({
        requests,
        notModified: () => notModified,
        get endpoint() {
          return `${app.url}/api/rpc`;
        },
        get database() {
          return database;
        },
        clientFor: (grants = 'hr admin') =>
          createRpcClient({ endpoint: `${app.url}/api/rpc`, headers: { 'X-Grants': grants }, fetch: recorded }),
      });
    });
  });
}
