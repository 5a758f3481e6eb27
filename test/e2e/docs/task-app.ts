import { type INestApplication, ForbiddenException, Injectable, Module, type Type, UnauthorizedException } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { PrismaPg } from '@prisma/adapter-pg';
import { readFileSync } from 'node:fs';
import {
  AfterWrite,
  defineRules,
  type GetClient,
  ResourceApiModule,
  type ResourceApiOptions,
  ResourceHooks,
  withRowLevelSecurity,
  withSql,
} from 'nestjs-resource-api';
import { Pool } from 'pg';
import type { Server } from 'node:net';
import supertest from 'supertest';
import { runSnippet, snippetsOf } from '../../docs/page-snippets.js';
import { PrismaClient } from '../../support/generated/real-application/prisma/client.js';
import { resourceSchema } from '../../support/generated/real-application/resource-schema.js';
import { createDatabase } from '../../support/postgres-database.js';
import { adapterOf, type Platform } from '../../support/test-app.js';
import { type Engine, SERVER_URL } from '../policy/engines.js';

export const PAGE = 'docs/real-application.md';
const TABLES = new URL('../../docs/real-application/tables.sql', import.meta.url);
const [guard = '', rules = '', clients = '', module = '', , , audit = '', assignment = '', worker = '', policed = ''] = snippetsOf(PAGE);
const [functions = '', ...later] = [...readFileSync(PAGE, 'utf8').matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql = '']) => sql);

/** The application of docs/real-application.md, built from the snippets of the page. */
export interface TaskDatabase {
  /** Connected as the owner of the tables. */
  readonly prisma: PrismaClient;
  readonly db: PrismaClient;
  /** Restores the rows of {@link fill}. */
  readonly reset: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function openTaskDatabase(engine: Engine): Promise<TaskDatabase> {
  const { names, execute, close } = engine === 'PGlite' ? await openEmbedded() : await openOnServer();
  const scripts = [functions, readFileSync(TABLES, 'utf8'), ...later];
  for (const sql of scripts) await execute(engine === 'PGlite' ? sql : withSharedRole(sql));
  const { prisma, db } = runSnippet(clients, { PrismaClient, ...names }, '({ prisma, db })') as Pick<TaskDatabase, 'prisma' | 'db'>;
  return {
    prisma,
    db,
    reset: () => fill(prisma),
    close: async () => {
      await prisma.$disconnect();
      await close();
    },
  };
}

/** The imports of the snippet of `src/prisma.ts`, and a function that runs scripts. */
interface Source {
  readonly names: Readonly<Record<string, unknown>>;
  readonly execute: (sql: string) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

async function openEmbedded(): Promise<Source> {
  const { PGlite } = await import('@electric-sql/pglite');
  const { pg_trgm } = await import('@electric-sql/pglite/contrib/pg_trgm');
  const { PrismaPGlite } = await import('pglite-prisma-adapter');
  const pglite = await PGlite.create({ extensions: { pg_trgm } });
  // One connection in this process replaces the pool and its adapter.
  const names = {
    Pool: Object,
    PrismaPg: PrismaPGlite.bind(undefined, pglite),
    withSql: (prisma: PrismaClient) => withSql(prisma),
  };
  return { names: { ...names, process: { env: {} } }, execute: (sql) => pglite.exec(sql), close: () => pglite.close() };
}

async function openOnServer(): Promise<Source> {
  const { connectionString, close } = await createDatabase(SERVER_URL ?? '', 'resource_api_real_application');
  const owner = new Pool({ connectionString, max: 1 });
  return {
    names: { Pool, PrismaPg, withSql, process: { env: { DATABASE_URL: connectionString } } },
    execute: (sql) => owner.query(sql),
    close: async () => {
      await owner.end();
      await close();
    },
  };
}

/** A server has one set of roles for all of its databases. */
function withSharedRole(sql: string): string {
  const create = 'CREATE ROLE app_caller NOLOGIN;';
  return sql.replace(create, () => `DO $$ BEGIN ${create} EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;`);
}

export const [ACME, GLOBEX] = [1, 2];
export const [ANN, BOB, CLEO] = [1, 2, 3];

/** Ann is admin of Acme, Bob a member of both, Cleo admin of Globex. Each has a project (1, 2) with a task (1, 2). */
async function fill(prisma: PrismaClient): Promise<void> {
  const tables = ['Organization', 'User', 'Membership', 'Project', 'Task', 'AuditEntry', 'OutboxMessage'];
  await prisma.$executeRawUnsafe(`TRUNCATE ${tables.map((table) => `"${table}"`).join(', ')} RESTART IDENTITY CASCADE`);
  await prisma.organization.createMany({ data: [{ name: 'Acme' }, { name: 'Globex' }] });
  const people = ['Ann', 'Bob', 'Cleo'].map((name) => ({ name, email: `${name}@example.com`, passwordHash: 'bcrypt' }));
  await prisma.user.createMany({ data: people });
  const memberships = [
    { organizationId: ACME, userId: ANN, role: 'ADMIN' },
    { organizationId: ACME, userId: BOB, role: 'MEMBER' },
    { organizationId: GLOBEX, userId: BOB, role: 'MEMBER' },
    { organizationId: GLOBEX, userId: CLEO, role: 'ADMIN' },
  ] as const;
  await prisma.membership.createMany({ data: [...memberships] });
  const projects = ['Rocket', 'Reactor'].map((name, index) => ({ name, organizationId: index + 1 }));
  await prisma.project.createMany({ data: projects });
  const tasks = [
    { title: 'Pay the invoice', projectId: 1, organizationId: ACME, createdById: ANN },
    { title: 'Refuel', projectId: 2, organizationId: GLOBEX, createdById: CLEO },
  ];
  await prisma.task.createMany({ data: tasks });
  await prisma.$executeRawUnsafe('TRUNCATE "AuditEntry", "OutboxMessage" RESTART IDENTITY');
}

/** Replaces the JwtService of `@nestjs/jwt`: a token is its payload as JSON. */
const jwt = {
  verifyAsync: (token: string): Promise<unknown> =>
    token.startsWith('{') ? Promise.resolve(JSON.parse(token)) : Promise.reject(new Error('invalid signature')),
};

export interface TaskApp {
  /** Sends requests as a member of an organization. */
  readonly as: (userId: number, organizationId: number) => ReturnType<typeof supertest.agent>;
  readonly nest: INestApplication;
}

/** A later snippet of the page that replaces an earlier one. */
export interface Variant {
  /** The last `getClient`. */
  readonly isPoliced?: boolean;
  /** Hooks, and no triggers. */
  readonly isHooked?: boolean;
}

export async function startTaskApp({ prisma, db }: TaskDatabase, platform: Platform, variant: Variant = {}): Promise<TaskApp> {
  const { isPoliced = false, isHooked = false } = variant;
  const imported = { ForbiddenException, UnauthorizedException, prisma, Injectable };
  const CallerGuard = runSnippet(guard, imported, 'CallerGuard') as new (service: typeof jwt) => object;
  const last = runSnippet(`const last = {\n${policed}};`, { withRowLevelSecurity, db }, 'last') as { readonly getClient: GetClient };
  const forRoot = (options: ResourceApiOptions) => ResourceApiModule.forRoot(isPoliced ? { ...options, ...last } : options);
  const names = {
    Module,
    ResourceApiModule: { forRoot },
    withRowLevelSecurity,
    CallerGuard: new CallerGuard(jwt),
    resourceSchema,
    db,
    prisma,
    rules: runSnippet(rules, { defineRules }, 'rules'),
  };
  const AppModule = runSnippet(module, names, 'AppResourceApiModule') as Type;
  const decorators = { AfterWrite, ResourceHooks };
  const hooks = [runSnippet(audit, decorators, 'AuditHooks'), runSnippet(assignment, decorators, 'AssignmentHooks')] as Type[];
  const testing = await Test.createTestingModule({ imports: [AppModule], ...(isHooked && { providers: hooks }) }).compile();
  const nest = testing.createNestApplication(adapterOf(platform), { logger: false });
  await nest.listen(0, '127.0.0.1');
  const as = (sub: number, org: number) => {
    const agent = supertest.agent(nest.getHttpServer() as Server);
    return agent.set('Authorization', `Bearer ${JSON.stringify({ sub, org })}`);
  };
  return { as, nest };
}

/** A message of the outbox, as the worker of the page sends it. */
export interface Message {
  readonly id: bigint;
  readonly topic: string;
  readonly payload: unknown;
}

/** The page's worker. */
export function makeWorker(prisma: PrismaClient, send: (message: Message) => Promise<void>): { readonly sendAll: () => Promise<void> } {
  class Logger {
    error(): void {
      // Tests log nothing.
    }
  }
  const OutboxWorker = runSnippet(worker, { Injectable, Logger, prisma }, 'OutboxWorker') as new (sender: object) => {
    readonly sendAll: () => Promise<void>;
  };
  return new OutboxWorker({ send });
}
