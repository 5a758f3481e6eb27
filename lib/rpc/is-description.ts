import type { Endpoint } from '../platform/style.js';
import { RPC_DESCRIPTION } from './protocol/rpc-operations.js';

/** Whether an endpoint is that of the description, of all models or of one. */
export function isDescription({ path }: Pick<Endpoint, 'path'>): boolean {
  return path.startsWith(RPC_DESCRIPTION.name);
}
