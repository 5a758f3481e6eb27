import type { DataClient, Delegate } from './data-client.js';
import type { DataCall } from './plan.js';

/** Makes one call of the host's client. */
export async function callClient(client: DataClient, { delegate: name, operation, args }: Omit<DataCall, 'expect'>): Promise<unknown> {
  const delegate = Reflect.get(client, name) as Delegate | undefined;
  const run = delegate?.[operation];
  if (run === undefined) throw new TypeError(`The data client has no ${name}.${operation}().`);
  return run.call(delegate, args);
}
