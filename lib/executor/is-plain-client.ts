import { memberOf } from '../errors/member-of.js';
import type { DataClient } from './data-client.js';
import { extensionsOf } from './extensions-of.js';

/**
 * Whether a client of Prisma's, or a transaction of one, does what it is asked and nothing else: nobody has extended it (`$extends`), and it leaves
 * out no fields (`omit`). Prisma documents no way to tell, and a client that does not tell is none. A Proxy of the host's may lead to another client
 * each time.
 */
export function isPlainClient(client: DataClient): boolean {
  return extensionsOf(client)?.length === 0 && OMITTED in client && memberOf(client, OMITTED) === undefined;
}

const OMITTED = '_globalOmit';
