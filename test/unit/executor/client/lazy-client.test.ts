import { expect, it, jest } from '@jest/globals';
import { lazyClient } from '../../../../lib/executor/client/lazy-client.js';

interface Client {
  readonly post: { count(args?: object): PromiseLike<number> & { author(): Promise<string> }; readonly name: string };
  $transaction(calls: readonly PromiseLike<unknown>[]): Promise<readonly unknown[]>;
  readonly $qb: { selectFrom(name: string): { execute(): Promise<string> } };
}

const begun: string[] = [];

function call(name: string, result: number): PromiseLike<number> & { author(): Promise<string> } {
  return {
    then: (onFulfilled, onRejected) => {
      begun.push(name);
      return Promise.resolve(result).then(onFulfilled, onRejected);
    },
    author: () => Promise.resolve(`author of ${name}`),
  };
}

function clientOf(): { client: Client; open: jest.Mock<() => Promise<object>> } {
  begun.length = 0;
  const real: Client = {
    post: {
      name: 'post',
      count(args) {
        return call(`${this.name} ${JSON.stringify(args)}`, 3);
      },
    },
    $transaction: (calls) => Promise.all(calls),
    $qb: { selectFrom: (name) => ({ execute: () => Promise.resolve(`rows of ${name}`) }) },
  };
  const open = jest.fn(() => Promise.resolve<object>(real));
  return { client: lazyClient(open) as Client, open };
}

it('opens the client when a call is first awaited, and once', async () => {
  const { client, open } = clientOf();
  const count = client.post.count({ where: {} });
  expect(Object.prototype.toString.call(count)).toBe('[object PrismaPromise]');
  expect(await Promise.resolve(client)).toBe(client);
  expect([open.mock.calls.length, begun]).toEqual([0, []]);
  expect(await count).toBe(3);
  expect(await count).toBe(3);
  expect(await client.post.count()).toBe(3);
  expect([open.mock.calls.length, begun]).toEqual([1, ['post {"where":{}}', 'post undefined']]);
});

it('calls chained methods, query builders and $transaction on the opened client', async () => {
  const { client } = clientOf();
  expect(await client.post.count().author()).toBe('author of post undefined');
  expect(begun).toEqual([]);
  expect(await client.$qb.selectFrom('Post').execute()).toBe('rows of Post');
  expect(await client.$transaction([client.post.count(), client.post.count({})])).toEqual([3, 3]);
  expect(begun).toEqual(['post undefined', 'post {}']);
});

it('rejects an awaited call where opening the client fails, or the client lacks the operation', async () => {
  const failing = lazyClient(() => Promise.reject(new Error('No caller.'))) as Client;
  await expect(Promise.resolve(failing.post.count())).rejects.toThrow('No caller.');
  const { client } = clientOf();
  // The type has no such operation.
  const post = client.post as unknown as Record<'gone', () => PromiseLike<unknown>>;
  await expect(Promise.resolve(post.gone())).rejects.toThrow("The data client has no 'gone' here.");
});
