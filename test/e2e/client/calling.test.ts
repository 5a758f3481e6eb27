import { Decimal } from 'decimal.js';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { AccessDeniedError } from '../../../lib/index.js';
import { createRpcClient, RpcClientError, type RpcClient, type RpcClientOptions } from '../../../lib/client/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { Prisma, type PrismaClient } from '../../support/generated/prisma/client.js';
import { date, day, PRODUCT, SPECIMEN } from '../../support/seed.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
beforeEach(() => database.reset());
afterAll(() => database.close());

onPlatforms('the typed client', (platform) => {
  let app: TestApp;
  let api: RpcClient<PrismaClient>;
  /** The authorization of each request that reached the data client. */
  const callers: unknown[] = [];
  /** The error of the data layer for the authorization 'busy'. */
  let failure: Error;

  beforeAll(async () => {
    const getClient = ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }) => {
      callers.push(headers['authorization']);
      if (headers['authorization'] === 'busy') throw failure;
      if (headers['authorization'] === 'nobody') throw new AccessDeniedError('Nobody may call.');
      return database.prisma;
    };
    app = await startTestApp({ platform, options: { getClient } });
    api = connect();
  });
  beforeEach(() => callers.splice(0));
  afterAll(() => app.close());

  function connect(options: Partial<RpcClientOptions> = {}): RpcClient<PrismaClient> {
    return createRpcClient<PrismaClient>({ endpoint: `${app.url}/api/rpc/`, ...options });
  }

  describe('values', () => {
    it('are decoded to their types', async () => {
      const order = await api.order.findFirstOrThrow({ where: { id: 9_007_199_254_740_993n }, include: { lines: true } });
      expect(order.id).toBe(9_007_199_254_740_993n);
      expect(order.placedAt).toBeInstanceOf(Date);
      expect(order.total).toBeInstanceOf(Decimal);
      expect(order.lines.every(({ unitPrice }) => unitPrice.greaterThan(0))).toBe(true);
    });

    it('of every type are written and returned unchanged', async () => {
      const data = {
        ...(await database.prisma.specimen.findUniqueOrThrow({ where: { id: SPECIMEN.full }, omit: { id: true } })),
        dateTime: new Date('2026-02-03T04:05:06.789Z'),
        bigInt: -9_007_199_254_740_993n,
        bigIntList: [1n, 2n],
        decimal: new Decimal('12345678901234567890.0123456789'),
        decimalList: [new Decimal('0.1'), new Decimal(2)],
        bytes: Uint8Array.of(0, 127, 255),
        bytesList: [Uint8Array.of(), Uint8Array.of(1)],
        json: { 'a.b': ['\\', { deep: null }] },
        optionalJson: Prisma.DbNull,
        jsonList: [{ a: 1 }, 'text'],
      };
      const { id } = await api.specimen.create({ data, select: { id: true } });
      const stored = await database.prisma.specimen.findUniqueOrThrow({ where: { id }, omit: { id: true } });
      expect(JSON.stringify(await api.specimen.findUnique({ where: { id }, omit: { id: true } }), plain)).toBe(
        JSON.stringify(stored, plain),
      );
      expect(JSON.stringify(stored, plain)).toBe(JSON.stringify({ ...data, optionalJson: null }, plain));
    });

    it('of every type can be filtered', async () => {
      const where = { createdAt: { gte: day(2), lt: day(4) }, rating: { gt: new Decimal(3) } };
      expect(await api.post.findMany({ where, select: { id: true } })).toEqual(
        await database.prisma.post.findMany({ where, select: { id: true } }),
      );
      expect(await api.exchangeRate.findUnique({ where: { quote: { currency: 'CHF', day: date(2) } } })).not.toBeNull();
      expect(await api.profile.findMany({ where: { avatar: Uint8Array.of(0x89, 0x50, 0x4e, 0x47) }, select: { id: true } })).toEqual([
        { id: 1 },
      ]);
    });

    it('of Json fields can be filtered by AnyNull of Prisma', async () => {
      const expected = await database.prisma.post.count({ where: { metadata: { equals: Prisma.AnyNull } } });
      expect(await api.post.count({ where: { metadata: { equals: Prisma.AnyNull } } })).toBe(expected);
      expect(expected).toBeGreaterThan(0);
    });

    it('of undefined are sent as such, so that the server rejects them in filters', async () => {
      const nothing = undefined as unknown as string;
      await expect(api.post.findMany({ where: { title: nothing } })).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining('where.title'),
      });
      expect(await api.post.findMany({ where: { id: 1 }, distinct: nothing as 'id', select: { id: true } })).toEqual([{ id: 1 }]);
      await api.tag.update({ where: { id: 1 }, data: { name: nothing } });
      expect(await api.tag.findUnique({ where: { id: 1 } })).toEqual({ id: 1, name: 'typescript' });
    });
  });

  describe('requests', () => {
    it('carry an argument of 100 kB', async () => {
      const ids = Array.from({ length: 10_000 }, (_, index) => 1_000_000 + index);
      const body = 'x'.repeat(100_000);
      expect(await api.comment.findFirst({ where: { body } })).toBeNull();
      await expect(api.post.findMany({ where: { id: { in: ids } } })).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining('maxFilterTerms'),
      });
      expect(await api.comment.deleteMany({ where: { body } })).toEqual({ count: 0 });
    });

    it('carry text that URLs and JSON escape', async () => {
      const name = `a&b=c+d%20#?/\\"'\u2028é😀`;
      await api.tag.create({ data: { name } });
      expect(await api.tag.findUnique({ where: { name }, select: { name: true } })).toEqual({ name });
    });

    it('carry the headers of the client and of the call', async () => {
      await connect({ headers: () => Promise.resolve({ authorization: 'Bearer a' }) }).tag.count();
      await api.$with({ headers: { authorization: 'Bearer b' } }).$transaction([api.tag.count()]);
      await api.tag.count();
      expect(callers).toEqual(['Bearer a', 'Bearer b', undefined]);
    });

    it('of a fluent call are sent once', async () => {
      expect(await api.post.findUnique({ where: { id: 2 } }).reviewer({ select: { name: true } })).toEqual({ name: 'Ada Lovelace' });
      expect(await api.post.findUnique({ where: { id: 1 } }).reviewer()).toBeNull();
      expect(await api.post.findUnique({ where: { id: 999 } }).comments()).toBeNull();
      const categories = await api.post
        .findUniqueOrThrow({ where: { id: 2 } })
        .category()
        .children({ orderBy: { id: 'asc' } });
      expect(categories).toEqual(
        await database.prisma.post
          .findUniqueOrThrow({ where: { id: 2 } })
          .category()
          .children({ orderBy: { id: 'asc' } }),
      );
      expect(callers).toHaveLength(4);
    });
  });

  describe('$transaction', () => {
    it('executes all calls in order, with dates in arguments', async () => {
      const [created, found, count] = await api.$transaction([
        api.post.create({ data: { title: 'New', authorId: 1, publishedAt: day(20) } }),
        api.post.findFirstOrThrow({ where: { publishedAt: day(20) }, include: { author: true } }),
        api.post.count(),
      ]);
      expect(found.id).toBe(created.id);
      expect(found.publishedAt).toEqual(day(20));
      expect(found.author.name).toBe('Ada Lovelace');
      expect(count).toBe(13);
    });

    it('is rolled back if one call fails, whose index is in the error', async () => {
      const calls = [api.tag.create({ data: { name: 'new' } }), api.tag.create({ data: { name: 'nest' } })] as const;
      await expect(api.$transaction(calls)).rejects.toMatchObject({
        status: 400,
        code: 'P2002',
        orm: true,
        message: expect.stringMatching(/^operations\[1\]: /),
      });
      expect(await api.tag.count({ where: { name: 'new' } })).toBe(0);
    });
  });

  describe('failures', () => {
    it('have retryAfter of a 503', async () => {
      const busy = Object.assign(new Error('Busy.'), { name: 'PrismaClientKnownRequestError', code: 'P2034' });
      const call = api.$with({ headers: { authorization: 'busy' } }).tag.count();
      failure = busy;
      await expect(call).rejects.toMatchObject({ status: 503, code: 'P2034', retryAfter: 1 });
    });

    it('of the data layer have their code', async () => {
      const error: unknown = await api.tag.create({ data: { name: 'nest' } }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(RpcClientError);
      expect(error).toMatchObject({
        status: 400,
        orm: true,
        code: 'P2002',
        reason: 'unique-conflict',
        fields: ['name'],
        rejectedByPolicy: false,
      });
      await expect(api.tag.findUniqueOrThrow({ where: { id: 999 } })).rejects.toMatchObject({ status: 404, orm: true, code: 'P2025' });
    });

    it('by policy have rejectedByPolicy', async () => {
      const call = api.$with({ headers: { authorization: 'nobody' } }).tag.count();
      await expect(call).rejects.toMatchObject({ status: 403, rejectedByPolicy: true, message: 'Nobody may call.' });
    });

    it('of arguments have the path in the message', async () => {
      const where = { titel: 'x' } as Prisma.PostWhereInput;
      await expect(api.post.findMany({ where })).rejects.toMatchObject({
        status: 400,
        orm: false,
        message: expect.stringContaining('where.titel'),
      });
      await expect(api.post.deleteMany()).rejects.toMatchObject({ status: 400, message: expect.stringContaining('where is missing') });
      expect(await api.post.count()).toBe(12);
    });

    it('of hidden models equal those of unknown models', async () => {
      await expect(api.apiToken.findMany()).rejects.toMatchObject({ status: 400, message: "There is no model 'apiToken'." });
    });

    it('of a wrong endpoint are errors', async () => {
      const endpoint = `${app.url}/elsewhere`;
      await expect(connect({ endpoint }).tag.count()).rejects.toMatchObject({ name: 'RpcClientError', status: 404 });
    });

    it('to connect are the error of fetch', async () => {
      const call = connect({ endpoint: `http://127.0.0.1:${await closedPort()}` }).tag.count();
      await expect(call).rejects.toMatchObject({ name: 'TypeError', cause: { code: 'ECONNREFUSED' } });
    });
  });

  describe('abort', () => {
    it('rejects a running call', async () => {
      const { url, close } = await silentServer();
      const controller = new AbortController();
      const call = connect({ endpoint: url }).$with({ signal: controller.signal }).tag.count();
      setTimeout(() => {
        controller.abort();
      }, 20);
      await expect(call).rejects.toMatchObject({ name: 'AbortError' });
      close();
    });

    it('rejects a call before it is sent', async () => {
      await expect(api.$with({ signal: AbortSignal.abort() }).tag.count()).rejects.toMatchObject({ name: 'AbortError' });
      expect(callers).toEqual([]);
    });

    it('rejects with the reason of the signal', async () => {
      const { url, close } = await silentServer();
      const call = connect({ endpoint: url })
        .$with({ signal: AbortSignal.timeout(20) })
        .tag.count();
      await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
      close();
    });
  });
});

it('hidden fields are not in results, though their types are', async () => {
  const app = await startTestApp({ platform: 'express', database });
  const api = createRpcClient<PrismaClient>({ endpoint: `${app.url}/api/rpc` });
  expect(Object.keys(await api.user.findUniqueOrThrow({ where: { id: 1 } }))).not.toContain('passwordHash');
  expect(await api.product.findUnique({ where: { id: PRODUCT.atlas }, select: { price: true } })).toEqual({ price: expect.any(Decimal) });
  await app.close();
});

/** For values that `JSON.stringify` lacks. */
function plain(this: unknown, key: string, value: unknown): unknown {
  const own = (this as Record<string, unknown>)[key];
  if (own instanceof Uint8Array) return `Bytes ${Buffer.from(own).toString('hex')}`;
  return typeof value === 'bigint' ? `BigInt ${value}` : value;
}

/** Accepts connections and never answers. */
async function silentServer(): Promise<{ readonly url: string; readonly close: () => void }> {
  const sockets = new Set<{ destroy(): unknown }>();
  const server = await listen(createServer((socket) => sockets.add(socket)));
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `http://127.0.0.1:${portOf(server)}`, close };
}

async function closedPort(): Promise<number> {
  const server = await listen(createServer());
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function listen(server: Server): Promise<Server> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(server);
    });
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
