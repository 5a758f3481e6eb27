import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { startTelemetry, type TestTelemetry } from '../../support/telemetry.js';
import type { TestApp } from '../../support/test-app.js';
import { type ServedOnPool, serveOnPool } from '../sql/logged-pool.js';

/** Statements that begin, bind, limit or end a transaction, or read a setting. */
const FRAMING = /^(?:BEGIN|COMMIT|ROLLBACK|SET|SELECT set_config|SELECT extract|SELECT 1 \/)/;

onDatabases('postgresql-server').describe('the statements of a span', () => {
  let telemetry: TestTelemetry;
  let database: TestDatabase;
  let served: ServedOnPool;

  beforeAll(async () => {
    telemetry = startTelemetry();
    database = await openTestDatabase();
    served = await serveOnPool(database, { config: {}, options: { shareReads: true }, writes: true });
  }, 60_000);
  afterAll(async () => {
    await served.app.close();
    await served.pool.end();
    await database.close();
    await telemetry.close();
  });

  it.each<[string, (app: TestApp) => Promise<unknown>, number]>([
    ['a page with its total and what it includes', ({ rest }) => rest.get('/post?include=author,tags&page[limit]=2'), 1],
    ['a create', ({ rest }) => rest.post('/tag', { data: { type: 'tag', attributes: { name: 'one' } } }), 1],
    ['a batch', ({ rpc }) => rpc.sequential(['x', 'y'].map((name) => ({ model: 'tag', op: 'create', args: { data: { name } } }))), 2],
  ])('%s equal the sent statements', async (_, send, expected) => {
    await telemetry.reset();
    served.trips.length = 0;
    await send(served.app);
    const [span] = telemetry.spans();
    const sent = served.trips.flat().filter((text) => !FRAMING.test(text));
    expect(span?.attributes).toMatchObject({ 'resource_api.engine': 'sql', 'resource_api.statements': expected });
    expect(sent.length).toBe(expected);
  });

  it('of reads that share a round trip are counted for each, with the attribute shared', async () => {
    const { app, gather } = served;
    for (const id of [1, 2]) await app.rest.get(`/tag/${id}`);
    await telemetry.reset();
    gather(4);
    await Promise.all([1, 2, 3, 4].map((id) => app.rest.get(`/tag/${id}`)));
    const costs = telemetry.spans().map(({ attributes }) => [attributes['resource_api.statements'], attributes['resource_api.shared']]);
    expect(costs).toEqual(Array(4).fill([1, true]));
  });
});
