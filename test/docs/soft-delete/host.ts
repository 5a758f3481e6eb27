// Compiled, never run: what the snippets of docs/soft-delete.md have besides what every page has.
import type { PlatformRequest, ResourceApiOptions } from 'nestjs-resource-api';
import type { PrismaClient } from '../../support/generated/tasks/prisma/client.js';
import type { resourceSchema } from '../../support/generated/tasks/resource-schema.js';

export * from '../host.js';
export { PrismaClient } from '../../support/generated/tasks/prisma/client.js';
export { resourceSchema } from '../../support/generated/tasks/resource-schema.js';

export declare const prisma: PrismaClient;
export declare const unsaid: Pick<ResourceApiOptions<typeof resourceSchema>, 'schema' | 'rest' | 'rpc'>;

export interface CallerRequest extends PlatformRequest {
  readonly caller?: { readonly id: number; readonly role: 'MEMBER' | 'ADMIN' };
}
