import type { DynamicModule, INestApplication, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import type { ResourceSchema } from 'nestjs-resource-api';
import supertest from 'supertest';
import { adapterOf, type Platform, PLATFORMS } from './platforms.js';

/** Two models, written by hand: these tests are about the module, and a fake data client serves them. */
export const tinySchema = {
  version: 2,
  provider: 'postgresql',
  enums: {},
  models: {
    Post: {
      fields: {
        id: { kind: 'scalar', type: 'Int', default: { kind: 'function', name: 'autoincrement' } },
        title: { kind: 'scalar', type: 'String' },
        authorId: { kind: 'scalar', type: 'Int' },
        author: {
          kind: 'relation',
          type: 'User',
          relation: 'PostToUser',
          opposite: 'posts',
          foreignKey: { fields: ['authorId'], references: ['id'] },
        },
      },
      primaryKey: { name: 'id', fields: ['id'] },
      uniqueKeys: [],
    },
    User: {
      fields: {
        id: { kind: 'scalar', type: 'Int', default: { kind: 'function', name: 'autoincrement' } },
        name: { kind: 'scalar', type: 'String' },
        posts: { kind: 'relation', type: 'Post', list: true, relation: 'PostToUser', opposite: 'author' },
      },
      primaryKey: { name: 'id', fields: ['id'] },
      uniqueKeys: [],
    },
  },
} as const satisfies ResourceSchema;

export const endpoint = 'http://api.test/api/rest';

/** A client that answers every read of posts with one row; a test adds what it needs. */
export function fakeClient(title = 'Hello'): { post: Record<string, (args?: unknown) => Promise<unknown>> } {
  const rows = [{ id: 1, title, authorId: 2 }];
  return { post: { findMany: () => Promise.resolve(rows), findFirst: () => Promise.resolve(rows[0]), count: () => Promise.resolve(1) } };
}

export { type Platform, PLATFORMS };

export interface TinyApp {
  readonly app: INestApplication;
  readonly http: ReturnType<typeof supertest>;
}

const open: INestApplication[] = [];

/** Starts an app on a platform; `closeAll` of the test file closes it. */
export async function startTinyApp(
  platform: Platform,
  imports: readonly (DynamicModule | Type)[],
  {
    build = (builder) => builder,
    configure,
  }: { build?: (builder: TestingModuleBuilder) => TestingModuleBuilder; configure?: (app: INestApplication) => void } = {},
): Promise<TinyApp> {
  const module = await build(Test.createTestingModule({ imports: [...imports] })).compile();
  const app = module.createNestApplication(adapterOf(platform), { logger: false });
  configure?.(app);
  open.push(app);
  await app.init();
  if (platform === 'fastify') await (app as NestFastifyApplication).getHttpAdapter().getInstance().ready();
  return { app, http: supertest(app.getHttpServer()) };
}

export async function closeAll(): Promise<void> {
  await Promise.all(open.splice(0).map((app) => app.close()));
}
