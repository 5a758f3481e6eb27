import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { IdempotencyKeys, withRowLevelSecurity, withSqlReads } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { onDatabases } from '../../support/databases/this-database.js';
import {
  ActionsModule,
  ADA,
  CallerGuard,
  type CallerRequest,
  gate,
  IDEMPOTENCY,
  KEY,
  REST,
  send,
  type Sent,
  tag,
} from '../idempotency/idempotency-suite.js';

const ROLE = 'keyed_app';

const PAGE = readFileSync('docs/idempotency.md', 'utf8');

/** The statements of `docs/idempotency.md`, and the other grants that a caller needs. */
const GRANTED = [
  `DO $$ BEGIN CREATE ROLE ${ROLE} NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`,
  `GRANT SELECT, INSERT, UPDATE, DELETE ON "Tag", "Post", "_PostToTag" TO ${ROLE}`,
  `GRANT USAGE ON SEQUENCE "Tag_id_seq" TO ${ROLE}`,
  ...(/```sql\n([^`]*)```/.exec(PAGE)?.[1] ?? '').replaceAll('app_user', ROLE).trim().split(';').slice(0, -1),
];

const UNDONE = [
  `DROP POLICY IF EXISTS own_keys ON "IdempotencyKey"`,
  `ALTER TABLE "IdempotencyKey" DISABLE ROW LEVEL SECURITY`,
  `REVOKE ALL ON "Tag", "Post", "_PostToTag", "IdempotencyKey" FROM ${ROLE}`,
  `REVOKE ALL ON SEQUENCE "Tag_id_seq" FROM ${ROLE}`,
];

onDatabases('postgresql').describe('keyed writes on PostgreSQL', () => {
  onPlatforms('keys under row-level security', (platform) => {
    let database: TestDatabase;
    let app: TestApp;
    const as = (caller: string, sent = tag('new')): ReturnType<typeof send> =>
      send(app, { ...sent, headers: { 'idempotency-key': KEY, 'x-caller': caller } });

    beforeAll(async () => {
      database = await openTestDatabase();
      for (const statement of GRANTED) await database.prisma.$executeRawUnsafe(statement);
      const client = withSqlReads(database.prisma);
      app = await startTestApp({
        platform,
        imports: [ActionsModule],
        options: {
          guards: [CallerGuard],
          idempotency: IDEMPOTENCY,
          resources: { '*': 'hidden', 'Tag': {}, 'Post': {} },
          getClient: ({ callerId = '' }: CallerRequest) =>
            withRowLevelSecurity(client, { role: ROLE, settings: { 'app.user_id': callerId } }),
        },
      });
    }, 60_000);
    beforeEach(() => database.reset());
    afterAll(async () => {
      await app.close();
      for (const statement of UNDONE) await database.prisma.$executeRawUnsafe(statement);
      await database.close();
    });

    it.each<readonly [string, Sent]>([
      ['a write', tag('new')],
      ['an action', { path: `${REST}/tag/1/shout` }],
    ])('IK-14: %s stores the record of its key with the role and settings of the caller', async (_, sent) => {
      const first = await as('ada', sent);
      expect([first.status < 300, first.isReplayed]).toEqual([true, false]);
      expect(await as('ada', sent)).toEqual({ ...first, isReplayed: true });
      const records = await database.prisma.idempotencyKey.findMany({ select: { scope: true, key: true } });
      expect(records).toEqual([{ scope: expect.stringMatching(/^ada [0-9a-f]{64}$/), key: KEY }]);
    });

    it('IK-16: an expired record is replaced although the role may not delete records', async () => {
      await as('ada');
      await database.prisma.idempotencyKey.updateMany({ data: { expiresAt: new Date(0) } });
      expect(await as('ada', tag('newer'))).toMatchObject({ status: 201, isReplayed: false });
      expect(await as('ada', tag('newer'))).toMatchObject({ status: 201, isReplayed: true });
    });

    it('IK-14: if the role may not insert the record, the request is a 403 and writes nothing', async () => {
      await database.prisma.$executeRawUnsafe(`REVOKE INSERT ON "IdempotencyKey" FROM ${ROLE}`);
      expect((await as('ada')).status).toBe(403);
      await database.prisma.$executeRawUnsafe(`GRANT INSERT ON "IdempotencyKey" TO ${ROLE}`);
      expect(await database.prisma.tag.count({ where: { name: 'new' } })).toBe(0);
      expect((await as('ada')).status).toBe(201);
    });

    it('IK-16: sweep deletes expired records of all callers through an unbound client, and fails through a bound one', async () => {
      await as('ada');
      const later = new Date(Date.now() + 172_800_000);
      const bound = withRowLevelSecurity(database.prisma, { role: ROLE, settings: { 'app.user_id': 'grace' } });
      await expect(app.nest.get(IdempotencyKeys).sweep(bound, later)).rejects.toThrow(/permission denied/);
      expect(await app.nest.get(IdempotencyKeys).sweep(database.prisma, later)).toBe(1);
    });
  });

  onDatabases('postgresql-server').describe('a key whose first request is running', () => {
    onPlatforms('in progress', (platform) => {
      let database: TestDatabase;
      const start = (waitMs: number): Promise<TestApp> =>
        startTestApp({
          platform,
          database,
          imports: [ActionsModule],
          options: { guards: [CallerGuard], idempotency: { ...IDEMPOTENCY, waitMs }, limits: { maxDuration: 60_000 } },
        });
      const slowly = { path: `${REST}/tag/slowly`, headers: { 'idempotency-key': KEY, ...ADA } };

      beforeAll(async () => {
        database = await openTestDatabase();
      });
      beforeEach(() => database.reset());
      afterAll(() => database.close());

      it('IK-06, IK-11: is a 409 after waitMs, in the same application and in another one', async () => {
        const [app, other] = [await start(0), await start(0)];
        gate.close();
        const first = send(app, slowly);
        await gate.arrived;
        for (const one of [app, other]) {
          const { status, code, headers } = await send(one, slowly);
          expect([status, code, headers['retry-after']]).toEqual([409, 'idempotency-in-progress', '1']);
        }
        gate.open();
        const answered = await first;
        expect(await send(other, slowly)).toEqual({ ...answered, isReplayed: true });
        await app.close();
        await other.close();
      });

      it('IK-11: 40 requests with the key wait without holding a connection, and then replay the response', async () => {
        const app = await start(60_000);
        gate.close();
        const first = send(app, slowly);
        await gate.arrived;
        const others = Array.from({ length: 40 }, () => send(app, slowly));
        // All connections of the pool but one are free for others.
        for (let index = 0; index < 5; index++) expect((await send(app, { method: 'GET', path: `${REST}/tag/1` })).status).toBe(200);
        gate.open();
        for (const answer of await Promise.all(others)) expect(answer).toEqual({ ...(await first), isReplayed: true });
        expect(await database.prisma.tag.count({ where: { name: 'slow' } })).toBe(1);
        await app.close();
      }, 60_000);
    });
  });
});
