import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { defineRules, withRowLevelSecurity, withSqlReads } from '../../../lib/index.js';
import { onDatabases, THIS_DATABASE } from '../../support/databases/this-database.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import type { TestApp } from '../../support/test-app.js';
import { CSV, describeExports, errorOf, type Exported, idsOf, linesOf, NDJSON, take } from './export-suite.js';

const SNAPSHOT = { Prefer: 'snapshot' };
const WIDE = 'x'.repeat(20_000);

/** Other databases have none: the application does not start. */
function describeNone(name: string): void {
  describeExports(name, (suite) => {
    it('SE-05: are a configuration error', async () => {
      await expect(suite.start({ rest: { export: { snapshot: true } } })).rejects.toThrow(
        'rest.export.snapshot is for PostgreSQL with Prisma',
      );
    });
  });
}

const describeSnapshots = THIS_DATABASE === 'postgresql' ? describeExports : describeNone;

describeSnapshots('exports from a snapshot', (suite) => {
  const offering = (snapshot: object | true = true, options: object = {}): Promise<TestApp> =>
    suite.start({ ...options, rest: { export: { snapshot } } });

  describe('on any database', () => {
    it('SE-05: are announced by HEAD, which opens no transaction', async () => {
      const app = await offering();
      suite.database.statements.clear();
      const { headers } = await take(app, '/tag', { method: 'HEAD', headers: SNAPSHOT });
      expect([headers['preference-applied'], suite.database.statements.all]).toEqual(['snapshot', []]);
    });

    it('SE-05: are not the result of a preference with a value', async () => {
      const app = await offering();
      const { status, headers } = await take(app, '/tag', { headers: { Prefer: 'snapshot=yesterday' } });
      expect([status, headers['preference-applied']]).toEqual([200, undefined]);
      const strict = await take(app, '/tag', { headers: { Prefer: 'snapshot=yesterday, handling=strict' } });
      expect(errorOf(strict)).toEqual([400, 'unsupported-header Prefer']);
    });

    it('SE-05: are a 500 with a client without transactions', async () => {
      const rows = { findMany: () => Promise.resolve([]) };
      const app = await offering(true, { getClient: () => ({ tag: rows }) });
      expect((await take(app, '/tag', { headers: SNAPSHOT })).status).toBe(500);
      expect((await take(app, '/tag')).status).toBe(200);
    });
  });

  onDatabases('postgresql-server').describe('on a server', () => {
    const open: IncomingMessage[] = [];
    afterEach(() => {
      for (const response of open.splice(0)) response.destroy();
    });

    /** Wide rows, more than one batch of them. */
    const fill = async (): Promise<void> => {
      const data = Array.from({ length: 400 }, (_, index) => ({ type: WIDE, payload: {}, createdAt: new Date(index) }));
      await suite.database.prisma.auditEvent.deleteMany();
      await suite.database.prisma.auditEvent.createMany({ data });
    };

    /** Starts an export, reads its first bytes, and pauses it. */
    const begin = async ({ url }: TestApp, headers: object = SNAPSHOT): Promise<IncomingMessage> => {
      const request = get(`${url}/api/rest/auditEvent`, { agent: false, headers: { Accept: NDJSON, ...headers } });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.on('error', () => undefined);
      open.push(response);
      return response;
    };

    const rest = async (response: IncomingMessage): Promise<Exported> => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      await new Promise((resolve) => response.once('close', resolve));
      const { statusCode: status = 0, headers, complete: isWhole } = response;
      return { status, headers, text: Buffer.concat(chunks).toString(), isWhole };
    };

    const change = async (): Promise<void> => {
      const { auditEvent } = suite.database.prisma;
      const last = await auditEvent.findFirstOrThrow({ orderBy: { id: 'desc' } });
      await auditEvent.update({ where: { id: last.id }, data: { payload: { is: 'changed' } } });
      await auditEvent.deleteMany({ where: { id: last.id - 1 } });
      await auditEvent.create({ data: { type: 'new', payload: {} } });
    };

    it.each([
      ['Prisma', (client: PrismaClient): object => client],
      ['SQL reads', (client: PrismaClient): object => withSqlReads(client)],
      ['row-level security', (client: PrismaClient): object => withRowLevelSecurity(client, { settings: { 'app.user_id': '1' } })],
    ])('SE-05: contain no writes after their start (%s)', async (_, clientOf) => {
      await fill();
      const client = clientOf(suite.database.prisma);
      const app = await offering(true, { getClient: () => client });
      const [held, plain] = [await begin(app), await begin(app, {})];
      await change();
      const exported = await rest(held);
      expect([exported.isWhole, exported.headers['preference-applied'], linesOf(exported).at(-1)]).toEqual([
        true,
        'snapshot',
        { meta: { complete: true, count: 400 } },
      ]);
      expect(exported.text).not.toMatch(/changed|"new"/);
      expect((await rest(plain)).text).toMatch(/changed[^]*"new"/);
    });

    it('SE-05: are read with the role and the policies of the caller', async () => {
      const { prisma } = suite.database;
      await fill();
      const { id } = await prisma.auditEvent.findFirstOrThrow({ orderBy: { id: 'asc' } });
      // Roles are of the whole server.
      const role = `exports_${process.pid}`;
      for (const statement of [
        `CREATE ROLE ${role}`,
        `GRANT SELECT ON "AuditEvent" TO ${role}`,
        'ALTER TABLE "AuditEvent" ENABLE ROW LEVEL SECURITY',
        `CREATE POLICY own ON "AuditEvent" TO ${role} USING (id = current_setting('app.event_id')::int)`,
      ])
        await prisma.$executeRawUnsafe(statement);
      try {
        const client = withRowLevelSecurity(prisma, { role, settings: { 'app.event_id': String(id) } });
        const app = await offering(true, { getClient: () => client });
        expect(idsOf(await take(app, '/auditEvent', { headers: SNAPSHOT }))).toEqual([id]);
        expect((await take(app, '/tag', { headers: SNAPSHOT })).status).toBe(403);
      } finally {
        await prisma.$executeRawUnsafe('ALTER TABLE "AuditEvent" DISABLE ROW LEVEL SECURITY');
        await prisma.$executeRawUnsafe(`DROP OWNED BY ${role}`);
        await prisma.$executeRawUnsafe(`DROP ROLE ${role}`);
      }
    });

    it('SE-05: are read under the rules of the caller', async () => {
      await fill();
      const { id } = await suite.database.prisma.auditEvent.findFirstOrThrow({ orderBy: { id: 'asc' } });
      const rules = defineRules<PrismaClient>()({ 'AuditEvent': { read: { id: { gt: id } } }, '*': true });
      const app = await offering(true, { rules });
      expect(idsOf(await take(app, '/auditEvent', { headers: SNAPSHOT }))).toHaveLength(399);
      expect((await take(app, '/auditEvent', { accept: CSV, headers: SNAPSHOT })).text.split('\r\n')).toHaveLength(401);
    });

    it('SE-05: are limited in number with 503 and Retry-After, until one ends or its client disconnects', async () => {
      await fill();
      const app = await offering({ max: 1 });
      const first = await begin(app);
      const refused = await take(app, '/auditEvent', { headers: SNAPSHOT });
      expect([errorOf(refused), refused.headers['retry-after']]).toEqual([[503, 'unavailable Prefer'], '10']);
      expect((await take(app, '/tag')).status).toBe(200);
      first.destroy();
      const tried = async (): Promise<number> => (await take(app, '/tag', { headers: SNAPSHOT })).status;
      let status = 0;
      for (let tries = 0; tries < 100 && status !== 200; tries++) status = await tried();
      expect([status, await tried(), await tried()]).toEqual([200, 200, 200]);
      expect(errorOf(await take(app, '/tag?sort=nothing', { headers: SNAPSHOT }))[0]).toBe(400);
      expect(await tried()).toBe(200);
    });

    it('SE-05: end with an error after maxDuration, and close their transaction', async () => {
      await fill();
      const app = await offering({ maxDuration: 300 });
      const held = await begin(app);
      await new Promise((resolve) => setTimeout(resolve, 700));
      const idle = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'`;
      expect(await suite.database.prisma.$queryRawUnsafe(idle)).toEqual([]);
      const exported = await rest(held);
      expect(exported.isWhole).toBe(false);
      expect(linesOf(exported).at(-1)?.errors?.[0]?.code).toBe('unavailable');
    });

    it('SE-05: contain no row that is committed later if maxDuration passes within a batch', async () => {
      const { prisma } = suite.database;
      const app = await offering({ maxDuration: 500 });
      await prisma.tag.create({ data: { name: 'first' } });
      const locked = prisma.$transaction(
        async (other) => {
          await other.$executeRawUnsafe('LOCK TABLE "User" IN ACCESS EXCLUSIVE MODE');
          await other.post.create({ data: { title: 'LATE', authorId: 1 } });
          await new Promise((resolve) => setTimeout(resolve, 900));
        },
        { timeout: 5000 },
      );
      await new Promise((resolve) => setTimeout(resolve, 200));
      const exported = await take(app, '/user/1/posts', { headers: SNAPSHOT });
      await locked;
      expect(exported.text).not.toContain('LATE');
      expect(errorOf(exported)).toEqual([503, 'unavailable nowhere']);
    });

    it('SE-05: are announced in Vary', async () => {
      const app = await offering();
      expect((await take(app, '/tag')).headers.vary).toContain('Prefer');
    });
  });

  onDatabases('pglite').describe('on PGlite, which ignores the isolation level of a transaction', () => {
    it('SE-05: are a 500', async () => {
      const app = await offering();
      expect((await take(app, '/tag', { headers: SNAPSHOT })).status).toBe(500);
      expect((await take(app, '/tag')).status).toBe(200);
    });
  });
});
