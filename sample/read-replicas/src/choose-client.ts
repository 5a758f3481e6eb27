import { readReplicas } from '@prisma/extension-read-replicas';
import type { PlatformRequest } from 'nestjs-resource-api';

/** As much of a Prisma client as is needed to extend it. */
interface Extendable {
  $extends: (extension: never) => unknown;
}

/**
 * `getClient` for a primary with read replicas. A request that reads goes to a replica, as far as its operations are reads; one that writes
 * stays with the primary from its first statement to its last, so that it reads what it wrote.
 */
export function clientChooser(primary: Extendable, replicas: readonly Extendable[]): (request: PlatformRequest) => object {
  const replicated = primary.$extends(readReplicas({ replicas: [...replicas] as never }) as never) as object;
  return ({ method }) => (method === 'GET' || method === 'HEAD' ? replicated : primary);
}
