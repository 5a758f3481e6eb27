import { defineRules } from 'nestjs-resource-api';
import type { CallerRequest } from './caller.js';
import type { PrismaClient } from './generated/prisma/client.js';

/** Rows that have an `organizationId` are those of its members. */
const members = ({ caller }: CallerRequest) => ({ organizationId: caller.organizationId });
const admins = (request: CallerRequest) => request.caller.role === 'ADMIN' && members(request);
/** Rows of a task. */
const ofTasks = (request: CallerRequest) => ({ task: members(request) });
const ownComments = (request: CallerRequest) => ({ ...ofTasks(request), authorId: request.caller.userId });

/** Who reads and writes which rows. */
export const rules = defineRules<PrismaClient, CallerRequest>()({
  'Organization': { read: ({ caller }) => ({ id: caller.organizationId }) },
  'User': { read: (request) => ({ memberships: { some: members(request) } }), update: ({ caller }) => ({ id: caller.userId }) },
  'Membership': { 'read': members, '*': admins },
  'Project': { '*': members },
  'Task': { '*': members },
  'Comment': { read: ofTasks, create: ofTasks, update: ownComments, delete: ownComments },
  'Tag': { '*': members },
  'Attachment': { '*': ofTasks },
  'Payment': { read: members, create: admins },
  'AuditEntry': { read: members },
  '*': false,
});
