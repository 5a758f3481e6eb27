import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRpcClient } from '../../../lib/client/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { sample } from '../../support/sample.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { comparable } from '../rpc/comparable.js';
import { type Call, READS } from '../rpc/differential-reads.js';
import { WRITES } from '../rpc/differential-writes.js';

/** All rights, so that the API returns the same fields as Prisma. */
const OPEN = { read: true, filter: true, sort: true, create: true, update: true } as const;
const OPEN_FIELDS = { passwordHash: OPEN, recoveryCode: OPEN, pin: OPEN, loginCount: OPEN, locale: OPEN };

type Delegates = Record<string, Record<string, (args?: unknown) => PromiseLike<unknown>>>;

function run(client: object, [operation, args]: Call): PromiseLike<unknown> {
  const [delegate = '', method = ''] = operation.split('/');
  const call = (client as Delegates)[delegate]?.[method];
  if (call === undefined) throw new Error(`There is no ${operation}.`);
  return call(args);
}

describe('a call of the typed client returns the same as the call of the Prisma client', () => {
  let database: TestDatabase;
  let app: TestApp;
  /** Clients that send arguments in URLs if they fit, and always in bodies. */
  let clients: { readonly inUrls: object; readonly inBodies: object };

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform: 'express', database, options: { resources: { User: { fields: OPEN_FIELDS } } } });
    const endpoint = `${app.url}/api/rpc`;
    clients = {
      inUrls: createRpcClient<PrismaClient>({ endpoint }),
      inBodies: createRpcClient<PrismaClient>({ endpoint, maxUrlLength: 0 }),
    };
  }, 60_000);
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  const reads = READS.flatMap(([, calls]) => calls).map(([operation, args]) => [operation, args] as const);
  it.each(sample.oneIn(8, reads))('%s %j', async (operation, args) => {
    const call: Call = [operation, args];
    const expected = comparable(await run(database.prisma, call));
    expect(comparable(await run(clients.inUrls, call))).toEqual(expected);
    expect(comparable(await run(clients.inBodies, call))).toEqual(expected);
  });

  it.each(sample.oneIn(8, WRITES))('%s %j', async (operation, args) => {
    const call: Call = [operation, args];
    await database.reset();
    const expected = comparable(await run(database.prisma, call));
    await database.reset();
    expect(comparable(await run(clients.inUrls, call))).toEqual(expected);
  });
});
