import { type INestApplication, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { DATA_CLIENT, ResourceApiModule } from 'nestjs-resource-api';
import request from 'supertest';
import { runSnippet, snippetsOf } from '../../docs/page-snippets.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import type { Prisma, PrismaClient } from '../../support/generated/prisma/client.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';

interface TestTransaction {
  readonly client: () => Promise<Prisma.TransactionClient>;
  readonly undo: () => Promise<void>;
}

type WithoutNesting = (open: Prisma.TransactionClient) => Prisma.TransactionClient;
type BeginTest = (prisma: PrismaClient) => Promise<TestTransaction>;

const [, transaction = '', suite = '', withoutNestingCode = ''] = snippetsOf('docs/testing.md');
const begin = runSnippet(transaction, {}, 'beginTest') as BeginTest;
const withoutNesting = runSnippet(withoutNestingCode, {}, 'withoutNesting') as WithoutNesting;
const isServer = process.env['TEST_DATABASE_URL'] !== undefined;

const beginTest: BeginTest = async (prisma) => {
  const test = await begin(prisma);
  return isServer ? test : { ...test, client: async () => withoutNesting(await test.client()) };
};

@Module({
  imports: [
    ResourceApiModule.forRoot({
      schema: resourceSchema,
      rest: { prefix: 'api/rest', endpoint: 'http://api.test/api/rest' },
      rpc: { prefix: 'api/rpc' },
      getClient: () => {
        throw new Error('Tests override it.');
      },
    }),
  ],
})
class AppModule {}

describe('docs/testing.md', () => {
  let database: TestDatabase;
  let before: number;
  beforeAll(async () => {
    database = await openTestDatabase();
    before = await database.prisma.tag.count();
  });
  afterAll(() => database.close());

  describe('with its snippets', () => {
    const prisma = { $transaction: (...args: Parameters<PrismaClient['$transaction']>) => database.prisma.$transaction(...args) };
    const jest = { describe, it, expect, beforeAll, afterAll, beforeEach, afterEach };
    runSnippet(suite, { ...jest, request, Test, DATA_CLIENT, AppModule, beginTest, prisma }, 'undefined');
  });

  describe('a test in a transaction that is rolled back', () => {
    let app: INestApplication;
    let test: TestTransaction;
    beforeAll(async () => {
      const building = Test.createTestingModule({ imports: [AppModule] }).overrideProvider(DATA_CLIENT);
      const module = await building.useFactory({ factory: () => test.client() }).compile();
      app = module.createNestApplication({ logger: false });
      await app.init();
    });
    afterAll(() => app.close());

    it('stores nothing, also after a batch and a failed batch', async () => {
      test = await beginTest(database.prisma);
      const batch = (...names: readonly string[]) =>
        request(app.getHttpServer())
          .post('/api/rpc/$transaction/sequential')
          .send(names.map((name) => ({ model: 'tag', op: 'create', args: { data: { name } } })));
      const count = async (): Promise<number> =>
        (await request(app.getHttpServer()).get('/api/rpc/tag/count').expect(200)).body.data as number;
      await batch('a', 'b').expect(200);
      expect(await count()).toBe(before + 2);
      await batch('c', 'c').expect(400);
      expect(await count()).toBe(before + 2);
      await batch('d').expect(200);
      await test.undo();
      expect(await database.prisma.tag.count()).toBe(before);
    });
  });
});
