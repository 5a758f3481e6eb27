import { AfterWrite, type AfterWriteOf, ResourceHooks } from 'nestjs-resource-api';
import type { CallerRequest } from './caller.js';
import type { Prisma, PrismaClient } from './generated/prisma/client.js';

/** One entry for each record that is written, in the transaction of the write: what is rolled back leaves none. */
@ResourceHooks('*')
export class AuditHooks {
  @AfterWrite()
  async audit({ model, action, key, changed, request, client }: AfterWriteOf<PrismaClient, '*', CallerRequest>): Promise<void> {
    const { userId: actorId, organizationId } = request.caller;
    const data = { model, action, key: key as Prisma.InputJsonObject, changed: [...changed], actorId, organizationId };
    if (changed.length > 0) await client.auditEntry.create({ data });
  }
}
