import { Module, type Type } from '@nestjs/common';
import {
  type ActionOf,
  type PlatformRequest,
  reason,
  ResourceAction,
  ResourceActions,
  type ResourceApiOptions,
  type ResourcesOption,
  type RulesOption,
  withSqlReads,
} from '../../../lib/index.js';
import { runSnippet, snippetsOf } from '../../docs/page-snippets.js';
import type { PrismaClient } from '../../support/generated/tasks/prisma/client.js';
import { resourceSchema } from '../../support/generated/tasks/resource-schema.js';
import { openTasksDatabase, type TasksDatabase } from '../../support/tasks-database.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

export interface CallerRequest extends PlatformRequest {
  caller?: { readonly id: number; readonly role: string };
}

/** The options of the docs. */
const PAGE = runSnippet(
  (snippetsOf('docs/soft-delete.md')[0] ?? '').replace('ResourceApiModule', 'const options = ResourceApiModule'),
  { prisma: undefined, ResourceApiModule: { forRoot: (options: object) => options } },
  'options',
) as Required<Pick<ResourceApiOptions, 'grants' | 'resources'>>;

const RESOURCES: ResourcesOption = {
  ...PAGE.resources,
  Person: { softDelete: 'deletedAt' },
  Task: { softDelete: { field: 'deletedAt', cascade: ['comments', 'attachments', 'delete', 'labels', 'note', 'children'], show: 'admin' } },
  Comment: { softDelete: { field: 'deletedAt', cascade: ['reactions'], show: 'admin' } },
  Reaction: { softDelete: 'deletedAt' },
  Attachment: { softDelete: 'deletedAt' },
  Reminder: { softDelete: 'deletedAt' },
  Label: { softDelete: 'deletedAt' },
  Note: { softDelete: { field: 'deletedAt', cascade: ['task'] } },
};

const RULES: RulesOption = {
  'Task': {
    'read': true,
    '*': reason('not the owner', ({ caller }: CallerRequest) => ({ ownerId: caller?.id ?? -1 })),
  },
  'Comment': { 'read': { id: { not: 2 } }, '*': true },
  '*': true,
};

@ResourceActions('Task')
class TaskActions {
  @ResourceAction({ right: 'update' })
  touch({ record }: ActionOf<PrismaClient, 'Task'>): unknown {
    return { title: record.title };
  }

  @ResourceAction({ on: 'collection', right: 'delete' })
  async purge({ client }: ActionOf<PrismaClient, 'Task', undefined, CallerRequest>): Promise<unknown> {
    const seen = await client.task.count({ where: { id: 2 } });
    return { count: (await client.task.deleteMany({ where: { id: 3 } })).count, seen };
  }
}

@Module({ providers: [TaskActions] })
class ApplicationModule {}

export type Headers = Readonly<Record<string, string>>;
export const ADMIN: Headers = { 'x-role': 'ADMIN', 'x-user': '9' };
export const as = (user: number): Headers => ({ 'x-user': String(user) });
const guard = {
  canActivate: (context: { switchToHttp: () => { getRequest: () => CallerRequest } }) => {
    const request = context.switchToHttp().getRequest();
    request.caller = { id: Number(request.headers['x-user'] ?? 0), role: String(request.headers['x-role'] ?? '') };
    return true;
  },
};

/** The members of a suite of soft delete, which are set when its tests run. */
export interface SoftDeleteSuite {
  readonly database: TasksDatabase;
  readonly plain: TestApp;
  /** Under rules. */
  readonly ruled: TestApp;
  /** The application with SQL reads. */
  readonly inSql: TestApp;
  readonly start: (options: Partial<ResourceApiOptions>, imports?: readonly Type[]) => Promise<TestApp>;
}

/** Describes soft delete in both styles, on Express and on Fastify. The seed is restored before each test. */
export function describeSoftDelete(name: string, tests: (suite: SoftDeleteSuite) => void): void {
  const suite = {} as { -readonly [Member in keyof SoftDeleteSuite]: SoftDeleteSuite[Member] };
  describe(name, () => {
    beforeAll(async () => {
      suite.database = await openTasksDatabase();
    }, 60_000);
    beforeEach(() => suite.database.reset());
    afterAll(() => suite.database.close());
    onPlatforms('on', (platform) => {
      beforeAll(async () => {
        suite.start = (options, imports = []) =>
          startTestApp({
            platform,
            options: {
              schema: resourceSchema,
              getClient: () => suite.database.prisma,
              resources: RESOURCES,
              grants: PAGE.grants,
              guards: [guard],
              ...options,
              rest: { operations: true, pageSize: 50 },
            },
            imports: [ApplicationModule, ...imports],
          });
        suite.plain = await suite.start({});
        suite.ruled = await suite.start({ rules: RULES });
        const reading = withSqlReads(suite.database.prisma);
        suite.inSql = await suite.start({ rules: RULES, getClient: () => reading });
      });
      afterAll(async () => {
        for (const app of [suite.plain, suite.ruled, suite.inSql]) await app.close();
      });
      tests(suite);
    });
  });
}

export const remove = (app: TestApp, path: string, headers: Headers = {}): ReturnType<TestApp['rest']['request']> =>
  app.rest.request('DELETE', path, { headers });
export const restore = (app: TestApp, path: string, headers: Headers = {}): ReturnType<TestApp['rest']['request']> =>
  app.rest.request('POST', `${path}/restore`, { headers });
export const find = async (app: TestApp, operation: string, args: object, headers: Headers = {}): Promise<unknown> => {
  const { status, data } = await app.rpc.call(operation, args, { headers });
  expect(status).toBe(200);
  return data;
};

export async function whatIsDeleted({ prisma }: TasksDatabase) {
  const where = { where: { deletedAt: { not: null } }, select: { id: true, deletedAt: true }, orderBy: { id: 'asc' } } as const;
  return {
    person: await prisma.person.findMany(where),
    task: await prisma.task.findMany(where),
    comment: await prisma.comment.findMany(where),
    reaction: await prisma.reaction.findMany(where),
    attachment: await prisma.attachment.findMany(where),
    reminder: await prisma.reminder.findMany(where),
    label: await prisma.label.findMany(where),
    note: await prisma.note.findMany(where),
  };
}

export async function countDeleted(database: TasksDatabase): Promise<number> {
  return Object.values(await whatIsDeleted(database)).flat().length;
}
