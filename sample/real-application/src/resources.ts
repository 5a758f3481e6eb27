import { granted, type GrantsOption, type ResourcesOption } from 'nestjs-resource-api';
import type { CallerRequest } from './caller.js';
import type { resourceSchema } from './generated/resource-schema.js';

/** What some callers may do that others may not. */
export const grants = {
  hr: ({ caller }: CallerRequest) => caller.role === 'HR',
  admin: ({ caller }: CallerRequest) => caller.role === 'ADMIN',
} satisfies GrantsOption;

/** The server sets the writing user, and the organization. */
const callers = (name: 'userId' | 'organizationId') => ({ value: { create: ({ caller }: CallerRequest) => caller[name] } });

/** The exposure of the API beyond the comments of the Prisma schema. */
export const resources = {
  User: { actions: ['read', 'update'] },
  Membership: { fields: { organizationId: callers('organizationId'), salary: { read: granted('hr') } } },
  Project: { softDelete: { field: 'deletedAt', cascade: ['tasks'], show: 'admin' }, fields: { organizationId: callers('organizationId') } },
  Task: {
    softDelete: { field: 'deletedAt', cascade: ['comments', 'attachments'], show: 'admin' },
    fields: { organizationId: callers('organizationId'), createdById: callers('userId'), completedAt: 'readOnly' },
  },
  Comment: { softDelete: { field: 'deletedAt', show: 'admin' }, fields: { authorId: callers('userId'), createdAt: 'readOnly' } },
  Attachment: { softDelete: { field: 'deletedAt', show: 'admin' } },
  Tag: { fields: { organizationId: callers('organizationId') } },
  Payment: { fields: { organizationId: callers('organizationId') } },
  AuditEntry: { actions: { read: granted('admin') } },
} satisfies ResourcesOption<typeof resourceSchema>;
