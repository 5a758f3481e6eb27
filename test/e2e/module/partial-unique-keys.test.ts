import { ConsoleLogger, Logger } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withSqlReads } from '../../../lib/index.js';
import { resourceSchema } from '../../support/generated/keys/resource-schema.js';
import { type KeysDatabase, openKeysDatabase } from '../../support/keys-database.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const lines: string[] = [];

class Lines extends ConsoleLogger {
  override error(text: string): void {
    lines.push(text);
  }
}

describe.each(['Prisma', 'SQL'])('an upsert by a key that the database has as a partial index, by %s', (engine) => {
  let database: KeysDatabase;
  let app: TestApp;
  beforeAll(async () => {
    database = await openKeysDatabase();
    const client = engine === 'SQL' ? withSqlReads(database.prisma) : database.prisma;
    app = await startTestApp({ platform: 'fastify', options: { schema: resourceSchema, getClient: () => client } });
    Logger.overrideLogger(new Lines());
  });
  afterAll(async () => {
    Logger.overrideLogger(false);
    await app.close();
    await database.close();
  });

  it.each([
    [
      'REST',
      () =>
        app.rest.post('/draft', {
          data: { type: 'draft', attributes: { slug: 's', title: 'x' } },
          meta: { operation: 'upsert', matchFields: ['slug'] },
        }),
    ],
    ['RPC', () => app.rpc.call('draft/upsert', { where: { slug: 's' }, create: { slug: 's', title: 'x' }, update: { title: 'x' } })],
  ])('is a fault of the application in %s, whose log line has cause and remedy', async (_, send) => {
    lines.length = 0;
    expect((await send()).status).toBe(500);
    expect(lines).toEqual([expect.stringMatching(/no unique constraint on the fields that an upsert matches by.* Create a unique index/)]);
  });
});
