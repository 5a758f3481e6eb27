import { withRowLevelSecurity } from 'nestjs-resource-api';
import { prisma } from '../database/prisma.js';
import type { CallerRequest } from './caller.guard.js';

/** The Prisma client as the caller: all it reads and writes obeys the policies of `prisma/migrations/*_row_level_security`. */
export function callerClient({ callerId }: CallerRequest): object {
  return withRowLevelSecurity(prisma, { role: 'blog_app', settings: { 'app.user_id': callerId } });
}
