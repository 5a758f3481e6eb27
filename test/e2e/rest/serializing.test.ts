import { Decimal } from 'decimal.js';
import type { SuperJSONResult } from 'superjson';
import { onDatabases } from '../../support/databases/this-database.js';
import { rpcCodec } from '../../support/rpc-codec.js';
import { SPECIMEN } from '../../support/seed.js';
import { describeReads } from './read-suite.js';

interface Answer {
  readonly data: unknown;
  readonly included?: readonly { readonly attributes: Readonly<Record<string, unknown>> }[];
}

/** Reads a response like a client (specification, 4.1.2): decodes the values that `meta.serialization` names. */
function revive(text: string): Answer {
  const document = JSON.parse(text) as SuperJSONResult['json'];
  const { meta } = document as { readonly meta?: { readonly serialization?: NonNullable<SuperJSONResult['meta']> } };
  return rpcCodec.deserialize({ json: document, ...(meta?.serialization && { meta: meta.serialization }) });
}

/** Converts values with a custom equality to plain data. */
function plain(value: unknown): unknown {
  if (Decimal.isDecimal(value)) return `decimal ${new Decimal(value).toFixed()}`;
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('hex')}`;
  return Array.isArray(value) ? value.map(plain) : value;
}

function plainAll(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)]));
}

describeReads('serialization metadata', {}, (suite) => {
  it.each(Object.entries(SPECIMEN))('decodes every value of every type: the %s specimen', async (_, id) => {
    const { text } = await suite.app.rest.get(`/specimen/${id}`);
    const row = await suite.database.prisma.specimen.findUniqueOrThrow({ where: { id } });
    const { data } = revive(text) as { readonly data: { readonly attributes: Readonly<Record<string, unknown>> } };
    expect(plainAll(data.attributes)).toEqual(plainAll({ ...row, id: undefined }));
  });

  it('has paths from the root of the document', async () => {
    const one = await suite.app.rest.get('/order/1?fields[order]=total,placedAt');
    expect(one.document.meta).toEqual({
      serialization: { values: { 'data.attributes.total': [['custom', 'Decimal']], 'data.attributes.placedAt': ['Date'] } },
    });
    const many = await suite.app.rest.get('/profile?fields[profile]=avatar,user&include=user&fields[user]=createdAt&page[limit]=1');
    expect(many.document.meta).toEqual({
      total: 3,
      serialization: { values: { 'data.0.attributes.avatar': [['custom', 'Bytes']], 'included.0.attributes.createdAt': ['Date'] } },
    });
  });

  it('decodes values of included resources', async () => {
    const { text } = await suite.app.rest.get('/orderLine?include=order&filter[orderId]=3');
    expect(revive(text).included?.[0]?.attributes).toMatchObject({ placedAt: expect.any(Date), total: expect.any(Decimal) });
  });

  it('is absent if JSON can represent all values', async () => {
    expect((await suite.app.rest.get('/tag/1')).document).not.toHaveProperty('meta');
    expect((await suite.app.rest.get('/tag')).document.meta).toEqual({ total: 5 });
  });

  onDatabases('postgresql').it('has the Decimal NaN, as the OpenAPI document says', async () => {
    const store = (rating: string) => suite.database.prisma.$executeRawUnsafe(`UPDATE "Post" SET "rating" = ${rating} WHERE "id" = 3`);
    const [before] = await suite.database.prisma.$queryRawUnsafe<{ readonly rating: string | null }[]>(
      `SELECT "rating"::text FROM "Post" WHERE "id" = 3`,
    );
    await store(`'NaN'`);
    try {
      // Both clients validate each response against its schema.
      expect((await suite.app.rest.get('/post/3')).one.attributes['rating']).toBe('NaN');
      const { data } = await suite.app.rpc.call('post/findUnique', { where: { id: 3 }, select: { rating: true } });
      expect(String((data as { readonly rating: unknown }).rating)).toBe('NaN');
    } finally {
      await store(before?.rating ?? 'NULL');
    }
  });

  onDatabases('postgresql').it('writes ISO 8601, decimal strings and base64 (specification, section 2)', async () => {
    const { attributes } = (await suite.app.rest.get('/specimen/3')).one;
    expect(attributes).toMatchObject({
      dateTime: '0001-01-01T00:00:00.000Z',
      bigInt: '9223372036854775807',
      decimal: '12345678901234567890.0123456789',
      optionalDecimal: '-99999999999999999999.9999999999',
      int: -2_147_483_648,
    });
  });
});
