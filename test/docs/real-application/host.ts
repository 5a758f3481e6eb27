// Compiled, never run: what the snippets of docs/real-application.md have besides what every page has.
import type { PlatformRequest, ResourceApiOptions, RulesOption } from 'nestjs-resource-api';
import type { CanActivate, Type } from '@nestjs/common';
import type { PrismaClient } from '../../support/generated/real-application/prisma/client.js';
import type { resourceSchema } from '../../support/generated/real-application/resource-schema.js';

export * from '../host.js';
export { Prisma, PrismaClient } from '../../support/generated/real-application/prisma/client.js';
export { resourceSchema } from '../../support/generated/real-application/resource-schema.js';

export declare const prisma: PrismaClient;
export declare const db: PrismaClient;
export declare const unsaid: Pick<ResourceApiOptions<typeof resourceSchema>, 'schema' | 'rest' | 'rpc'>;
export declare const rules: RulesOption;
export declare const CallerGuard: Type<CanActivate>;
export declare const AuditHooks: Type;
export declare const AssignmentHooks: Type;
export declare const AppResourceApiModule: Type;

export interface CallerRequest extends PlatformRequest {
  readonly caller?: { readonly userId: number; readonly organizationId: number; readonly role: 'MEMBER' | 'ADMIN' };
}
