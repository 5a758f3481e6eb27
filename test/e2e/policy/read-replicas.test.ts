import { PrismaPg } from '@prisma/adapter-pg';
import { type GetClient, withRowLevelSecurity } from 'nestjs-resource-api';
import { existsSync } from 'node:fs';
import { applyMigrations } from '../../../sample/blog/src/database/apply-migrations.js';
import { openPostgres } from '../../../sample/blog/src/database/open-database.js';
import { seedWhenEmpty } from '../../../sample/blog/src/database/seed.js';
import { PrismaClient } from '../../../sample/blog/src/generated/prisma/client.js';
import type { CallerRequest } from '../../../sample/blog/src/caller/caller.guard.js';
import { loggedAdapter } from '../../support/logged-adapter.js';
import { describeWhere } from '../../support/describe-where.js';
import { StatementLog } from '../../support/statement-log.js';
import { type BlogApp, startBlogApp } from './blog-app.js';
import { POSTGRES_BIN } from '../../support/own-postgres.js';
import { type ReplicatedPostgres, startReplicatedPostgres } from '../../support/replicated-postgres.js';

const SAMPLE = new URL('../../../sample/read-replicas/', import.meta.url);

/** The sample is a separate package: `npm ci --prefix sample/read-replicas` installs Prisma's extension. */
const IS_INSTALLED = existsSync(new URL('node_modules/@prisma/extension-read-replicas', SAMPLE));

const LACKING = 'npm ci --prefix sample/read-replicas, and the programs of a PostgreSQL server';

type ClientChooser = (primary: PrismaClient, replicas: readonly PrismaClient[]) => GetClient;

describeWhere(POSTGRES_BIN !== undefined && IS_INSTALLED, LACKING, 'read replicas, by streaming replication', () => {
  const log = { primary: new StatementLog(), replica: new StatementLog() };
  let servers: ReplicatedPostgres;
  let primary: PrismaClient;
  let replica: PrismaClient;
  let clientChooser: ClientChooser;
  let app: BlogApp;

  beforeAll(async () => {
    servers = await startReplicatedPostgres(POSTGRES_BIN ?? '');
    await applyMigrations(openPostgres(servers.primaryUrl));
    primary = new PrismaClient({ adapter: loggedAdapter(new PrismaPg({ connectionString: servers.primaryUrl }), log.primary) });
    replica = new PrismaClient({ adapter: loggedAdapter(new PrismaPg({ connectionString: servers.replicaUrl }), log.replica) });
    await seedWhenEmpty(primary);
    ({ clientChooser } = (await import(new URL('src/choose-client.ts', SAMPLE).pathname)) as { readonly clientChooser: ClientChooser });
    app = await startBlogApp(primary, clientChooser(primary, [replica]));
    await servers.caughtUp();
  }, 120_000);
  beforeEach(() => {
    log.primary.clear();
    log.replica.clear();
  });
  afterAll(async () => {
    await app.close();
    await primary.$disconnect();
    await replica.$disconnect();
    await servers.stop();
  }, 60_000);

  it('reads only from the replica, in both styles', async () => {
    expect((await app.as(1).rest('GET', '/post?include=author')).many).toHaveLength(42);
    expect((await app.as(1).rpc('post/count')).data).toBe(42);
    expect([log.primary.all, log.replica.writes]).toEqual([[], []]);
    expect(log.replica.queries.length).toBeGreaterThan(2);
  });

  it('writes to the primary, and reads the written rows there, while the replica lags behind', async () => {
    await replica.$queryRaw`SELECT pg_wal_replay_pause()::text`;
    log.replica.clear();
    const relationships = { post: { data: { type: 'post', id: 1 } }, author: { data: { type: 'user', id: 5 } } };
    const created = await app
      .as(5)
      .rest('POST', '/comment?include=post', { data: { type: 'comment', attributes: { body: 'x' }, relationships } });
    expect([created.status, created.included.map(({ type }) => type)]).toEqual([201, ['post']]);
    const updated = await app.as(5).rpc('comment/update', { where: { id: created.one.id }, data: { body: 'y' }, select: { body: true } });
    expect(updated.data).toEqual({ body: 'y' });
    expect(log.replica.all).toEqual([]);

    // The next request reads from the replica again, which has not replayed the write yet.
    expect((await app.as(5).rest('GET', `/comment/${created.one.id}`)).status).toBe(404);
    await replica.$queryRaw`SELECT pg_wal_replay_resume()::text`;
    await servers.caughtUp();
    expect((await app.as(5).rest('GET', `/comment/${created.one.id}`)).one.attributes).toMatchObject({ body: 'y' });
  });

  it('enforces the policies on both servers if getClient chooses and binds the client', async () => {
    const bound: GetClient = ({ method, callerId }: CallerRequest) =>
      withRowLevelSecurity(method === 'GET' ? replica : primary, { role: 'blog_app', settings: { 'app.user_id': callerId } });
    const policed = await startBlogApp(primary, bound);
    try {
      expect((await policed.as(2).rest('GET', '/post?filter[published]=false')).many).toHaveLength(4);
      expect((await policed.as(undefined).rpc('post/count')).data).toBe(35);
      expect(log.primary.all).toEqual([]);
      expect((await policed.as(3).rpc('post/update', { where: { id: 2 }, data: { title: 'x' } })).status).toBe(403);
    } finally {
      await policed.close();
    }
  });

  it('rejects a client with the extension readReplicas in withRowLevelSecurity', () => {
    // It reads only the method of the request.
    const replicated = clientChooser(primary, [replica])({ method: 'GET' } as never) as PrismaClient;
    expect(() => withRowLevelSecurity(replicated, { role: 'blog_app' })).toThrow('read replicas');
  });
});
