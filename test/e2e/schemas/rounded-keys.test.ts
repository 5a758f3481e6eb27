import { expect, it } from '@jest/globals';
import { describeKeys, ENGINES } from '../../support/keys-apps.js';

/** The id of `Price` has 20 decimal places. PostgreSQL would round this one. */
const ID = '2.000000000000000000001';

const price = { type: 'price', id: ID };
const UPSERT = { operation: 'upsert', matchFields: ['id'] };

describeKeys('an id with more digits than its column', {}, ({ appOf, dump }) => {
  it.each(ENGINES.flatMap((engine) => [undefined, UPSERT].map((meta) => ({ engine, meta }))))(
    'is rejected in REST: $engine, $meta',
    async ({ engine, meta }) => {
      const before = await dump();
      const { status, document } = await appOf(engine).rest.post('/price', { data: price, ...(meta && { meta }) });
      expect([status, document.errors?.[0]]).toMatchObject([400, { code: 'invalid-id', source: { pointer: '/data/id' } }]);
      expect(await dump()).toBe(before);
    },
  );

  it.each(ENGINES)('is rejected in the where and the data of RPC: %s', async (engine) => {
    const before = await dump();
    const { rpc } = appOf(engine);
    const created = await rpc.call('price/create', { data: { id: ID } });
    const upserted = await rpc.call('price/upsert', { where: { id: ID }, create: { id: '2' }, update: {} });
    expect([created.status, created.error.message]).toEqual([
      400,
      expect.stringContaining('data.id must be a decimal number with at most'),
    ]);
    expect([upserted.status, upserted.error.message]).toEqual([400, expect.stringContaining('where.id must be a decimal number')]);
    expect(await dump()).toBe(before);
  });
});
