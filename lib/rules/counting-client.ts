import type { DataClient } from '../executor/data-client.js';
import { delegateOf } from '../model/exposure/naming.js';
import type { Storage, StoredField } from '../model/storage/storage.js';
import { isPlainObject } from '../wire/is-plain-object.js';

/**
 * Returns the client of an application without rules, whose updates of models with a version count it. Nested writes do not: Prisma executes them.
 *
 * Every other member of the client, and what the application's own extensions add, is the client's.
 */
export function countingClient(client: DataClient, storage: Storage): DataClient {
  const versions = new Map([...storage.byModel.values()].flatMap(({ model, version }) => (version ? [[delegateOf(model), version]] : [])));
  return new Proxy(client, {
    get: (target, name): unknown => {
      const member: unknown = Reflect.get(target, name);
      const version = typeof name === 'string' ? versions.get(name) : undefined;
      return version && typeof member === 'object' && member !== null ? countingDelegate(member, version) : member;
    },
  });
}

/** The argument of each operation that holds what is written into rows that exist. */
const WRITTEN: Readonly<Record<string, 'data' | 'update'>> = {
  update: 'data',
  updateMany: 'data',
  updateManyAndReturn: 'data',
  upsert: 'update',
};

function countingDelegate(delegate: object, version: StoredField): object {
  return new Proxy(delegate, {
    get: (target, name): unknown => {
      const method: unknown = Reflect.get(target, name);
      const written = typeof name === 'string' ? WRITTEN[name] : undefined;
      if (written === undefined || typeof method !== 'function') return method;
      return (args: unknown, ...others: readonly unknown[]): unknown =>
        Reflect.apply(method, target, [counted(args, written, version), ...others]);
    },
  });
}

/** The application's own code may set the version itself. */
function counted(args: unknown, written: 'data' | 'update', { name, type }: StoredField): unknown {
  const data = isPlainObject(args) ? args[written] : undefined;
  if (!isPlainObject(args) || !isPlainObject(data) || data[name] !== undefined || Object.keys(data).length === 0) return args;
  return { ...args, [written]: { ...data, [name]: { increment: type === 'BigInt' ? 1n : 1 } } };
}
