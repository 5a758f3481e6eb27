import { beforeEach, describe, expect, it } from '@jest/globals';
import { prismaExecutor } from '../../../lib/executor/prisma-executor.js';
import { buildStorage } from '../../../lib/model/storage/build-storage.js';
import { ClientFaults } from '../../../lib/run/client-faults.js';
import { schemaOf } from '../rpc/model-of.js';

const storage = buildStorage(schemaOf('model Post {\n id Int @id\n title String\n}'));
const PANIC = Object.assign(new Error('entered unreachable code'), { name: 'PrismaClientRustPanicError' });

let logged: string[] = [];
beforeEach(() => {
  logged = [];
});

const logger = {
  warn: (text: string) => void logged.push(`warn ${text}`),
  error: (text: string, details: string | undefined) => void logged.push(`error ${text} ${details?.split('\n')[0] ?? ''}`),
};

function faultsOf(onClientBroken?: (client: object, error: unknown) => unknown): ClientFaults {
  return new ClientFaults((client) => prismaExecutor(client), storage, logger, onClientBroken);
}

/** Waits until the background work has ended. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('errors of the data client that need the administrator', () => {
  it('do not include other errors, which are returned to the request', async () => {
    const error = new Error('duplicate key value');
    await expect(faultsOf(() => logged.push('notified')).report({}, error)).resolves.toBe(error);
    await settled();
    expect(logged).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['by its name', { $transaction: () => undefined, $queryRawUnsafe: () => Promise.resolve([{ role: 'app' }]) }, 'the role "app"'],
    ['without a name where the client has no raw queries', {}, 'the role that the request runs as'],
  ])('include missing grants, which are logged with the role: %s', async (_, client, grantee) => {
    const error = new Error('permission denied for table Post');
    await expect(faultsOf().report(client, error)).resolves.toBe(error);
    await settled();
    expect(logged).toEqual([`warn A request was answered 403: permission denied for table Post. GRANT it to ${grantee}.`]);
  });

  it('include a panic, which the application receives where the client is broken', async () => {
    const client = { post: { findFirst: () => Promise.reject(PANIC) } };
    const notified: unknown[] = [];
    await expect(faultsOf((...given) => notified.push(given)).report(client, PANIC)).resolves.toBe(PANIC);
    await settled();
    expect([notified, logged]).toEqual([
      [[client, PANIC]],
      [expect.stringMatching(/^error The data client is broken: .* entered unreachable code$/)],
    ]);
  });

  it('include a panic over a single query, which is returned as an error of that query', async () => {
    const client = { post: { findFirst: () => Promise.resolve(null) } };
    const notified: unknown[] = [];
    await expect(faultsOf((...given) => notified.push(given)).report(client, PANIC)).resolves.toMatchObject({ status: 400 });
    await settled();
    expect([notified, logged]).toEqual([[], [expect.stringMatching(/^error A query made the engine of the data client panic\./)]]);
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('Mine.');
      },
    ],
    ['rejects', () => Promise.reject(new Error('Mine.'))],
  ])("are returned unchanged where the application's function %s, which is logged", async (_, onClientBroken) => {
    const client = { post: { findFirst: () => Promise.reject(PANIC) } };
    await expect(faultsOf(onClientBroken).report(client, PANIC)).resolves.toBe(PANIC);
    await settled();
    expect(logged).toContainEqual(expect.stringMatching(/^error onClientBroken failed\. Error: Mine\.$/));
  });
});
