import { afterAll, beforeAll } from '@jest/globals';
import { type InlineSchema, type OpenSchema, openSchema } from './open-schema.js';
import { type Platform, startTestApp, type TestApp, type TestAppOptions } from './test-app.js';

/**
 * Returns applications on one database of a schema, which run once the tests do. Call it in a `describe`, so that its hooks belong to that block.
 *
 * @param variants the options of each application: one that queries through Prisma, and then one that queries in SQL, has each of them
 */
export function appsOnSchema(
  platform: Platform,
  inline: InlineSchema,
  variants: readonly NonNullable<TestAppOptions['options']>[] = [{}],
): readonly TestApp[] {
  const apps: TestApp[] = [];
  let database: OpenSchema | undefined;
  beforeAll(async () => {
    database = await openSchema(inline);
    const { schema, prisma, inSql } = database;
    for (const client of [prisma, inSql]) {
      for (const options of variants) apps.push(await startTestApp({ platform, options: { ...options, schema, getClient: () => client } }));
    }
  }, 60_000);
  afterAll(async () => {
    for (const app of apps) await app.close();
    await database?.close();
  });
  return apps;
}
