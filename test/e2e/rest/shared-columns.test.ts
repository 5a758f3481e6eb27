import { withSqlReads } from '../../../lib/index.js';
import { resourceSchema } from '../../support/generated/keys/resource-schema.js';
import { type KeysDatabase, openKeysDatabase } from '../../support/keys-database.js';
import type { RestResponse } from '../../support/rest-client.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const MEMBER = { type: 'entry', id: '1' };

/** Requests that remove entry 1 from ledger 1_L1, with the pointers of their errors. */
const REMOVALS: readonly (readonly [name: string, pointer: string, send: (app: TestApp) => Promise<RestResponse>])[] = [
  ['DELETE of a member', '/data', ({ rest }) => rest.delete('/ledger/1_L1/relationships/entries', { data: [MEMBER] })],
  ['PATCH of the relationship', '/data', ({ rest }) => rest.patch('/ledger/1_L1/relationships/entries', { data: [] })],
  [
    'PATCH of the resource',
    '/data/relationships/entries',
    ({ rest }) => rest.patch('/ledger/1_L1', { data: { type: 'ledger', id: '1_L1', relationships: { entries: { data: [] } } } }),
  ],
];

describe.each(['Prisma', 'SQL'])('members whose foreign key shares a required column, by %s', (engine) => {
  let database: KeysDatabase;
  let app: TestApp;
  beforeAll(async () => {
    database = await openKeysDatabase();
    const client = engine === 'SQL' ? withSqlReads(database.prisma) : database.prisma;
    app = await startTestApp({ platform: 'fastify', options: { schema: resourceSchema, getClient: () => client } });
  });
  beforeEach(() => database.reset());
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  it.each(REMOVALS)('cannot be removed by %s: the error points at them', async (_, pointer, send) => {
    const { status, errors } = await send(app);
    expect([400, 403]).toContain(status);
    expect(errors[0]?.source?.pointer?.startsWith(pointer)).toBe(true);
    expect(errors[0]?.detail).toContain("A entry cannot be without its 'ledger'");
    expect(await database.prisma.entry.findUnique({ where: { id: 1 } })).toMatchObject({ tenantId: 1, ledgerCode: 'L1' });
  });

  it('can be removed from their own side', async () => {
    expect((await app.rest.patch('/entry/1/relationships/ledger', { data: null })).status).toBeLessThan(300);
    expect(await database.prisma.entry.findUnique({ where: { id: 1 } })).toMatchObject({ tenantId: 1, ledgerCode: null });
  });

  it('may be replaced by a list that contains all of them', async () => {
    const data = [MEMBER, { type: 'entry', id: '2' }];
    expect((await app.rest.patch('/ledger/1_L1/relationships/entries', { data })).status).toBeLessThan(300);
  });
});
