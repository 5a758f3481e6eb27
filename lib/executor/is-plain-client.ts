import { memberOf } from '../errors/member-of.js';
import type { DataClient } from './data-client.js';
import { extensionsOf } from './extensions-of.js';

/**
 * Whether a Prisma client, or a transaction of one, has no extensions (`$extends`) and no global `omit`. Prisma has no documented API for this. A
 * client whose members cannot be read is not plain. The result is not cached, because a Proxy of the application may return another client each time.
 */
export function isPlainClient(client: DataClient): boolean {
  return extensionsOf(client)?.length === 0 && OMITTED in client && memberOf(client, OMITTED) === undefined;
}

const OMITTED = '_globalOmit';
