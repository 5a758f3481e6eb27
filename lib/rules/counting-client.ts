import type { DataClient } from '../executor/data-client.js';
import type { Storage, StoredField } from '../model/storage/storage.js';
import { isPlainObject } from '../wire/is-plain-object.js';

/**
 * Returns a client whose updates increment the versions of their rows, for an application without rules. Nested writes do not increment them, because
 * Prisma executes these.
 *
 * All other members of the client, including those of the application's extensions, are unchanged.
 */
export function countingClient(client: DataClient, storage: Storage): DataClient {
  const versions = new Map([...storage.byModel.values()].flatMap(({ delegate, version }) => (version ? [[delegate, version]] : [])));
  return new Proxy(client, {
    get: (target, name): unknown => {
      const member: unknown = Reflect.get(target, name);
      const version = typeof name === 'string' ? versions.get(name) : undefined;
      return version && typeof member === 'object' && member !== null ? countingDelegate(member, version) : member;
    },
  });
}

/** The argument of each operation that contains the values for existing rows. */
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
        Reflect.apply(method, target, [withVersionIncrement(args, written, version), ...others]);
    },
  });
}

/** Adds the version increment to arguments. Code of the application may set the version itself. */
function withVersionIncrement(args: unknown, written: 'data' | 'update', { name, type }: StoredField): unknown {
  const data = isPlainObject(args) ? args[written] : undefined;
  if (!isPlainObject(args) || !isPlainObject(data) || data[name] !== undefined || Object.keys(data).length === 0) return args;
  return { ...args, [written]: { ...data, [name]: { increment: type === 'BigInt' ? 1n : 1 } } };
}
