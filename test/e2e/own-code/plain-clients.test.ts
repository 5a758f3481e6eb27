import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataClient } from '../../../lib/executor/data-client.js';
import { isPlainClient } from '../../../lib/executor/client/extensions-of.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { PrismaClient } from '../../support/generated/prisma/client.js';
import type { AdapterFactory } from '../../support/logged-adapter.js';

describe('isPlainClient', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  it('is true for a client of Prisma and its transactions', async () => {
    expect(isPlainClient(database.prisma)).toBe(true);
    expect(await database.prisma.$transaction((open) => Promise.resolve(isPlainClient(open)))).toBe(true);
  });

  it('is false for an extended client and its transactions', async () => {
    const extended = database.prisma.$extends({ name: 'nothing' });
    expect(isPlainClient(extended)).toBe(false);
    expect(await extended.$transaction((open) => Promise.resolve(isPlainClient(open)))).toBe(false);
  });

  it('is false for a client with the option omit', () => {
    const adapter: AdapterFactory = {
      provider: 'postgres',
      adapterName: 'none',
      connect: () => Promise.reject(new Error('Not called.')),
    };
    expect(isPlainClient(new PrismaClient({ adapter, omit: { user: { email: true } } }))).toBe(false);
    expect(isPlainClient(new PrismaClient({ adapter }))).toBe(true);
  });

  it('is evaluated for the current target of a Proxy', () => {
    let target: object = database.prisma;
    const proxy = new Proxy({}, { get: (_, name) => Reflect.get(target, name) as unknown, has: (_, name) => Reflect.has(target, name) });
    expect(isPlainClient(proxy)).toBe(true);
    target = database.prisma.$extends({ name: 'nothing' });
    expect(isPlainClient(proxy)).toBe(false);
  });

  it.each<[string, DataClient]>([
    ['a client that is not of Prisma', {}],
    ['a mock that has a function for every name', new Proxy({}, { get: () => () => undefined })],
  ])('is false for %s', (_, client) => {
    expect(isPlainClient(client)).toBe(false);
  });
});
