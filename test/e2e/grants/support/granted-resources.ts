import type { PlatformRequest, ResourceApiOptions, ResourcesOption } from '../../../../lib/index.js';
import { granted } from '../../../../lib/index.js';
import type { resourceSchema } from '../../../support/generated/resource-schema.js';

export type GrantName = 'hr' | 'admin';
type Resources = ResourcesOption<typeof resourceSchema>;

/** Fields, relations and whole models that need grants, one of each kind. */
export const GRANTED_RESOURCES = {
  User: {
    fields: {
      // A scalar field without `create`.
      loginCount: { read: granted('hr'), filter: granted('hr'), update: granted('hr', 'admin'), create: false },
      email: { name: 'mail', read: granted('hr') },
      // Hidden by a comment, and unique.
      recoveryCode: { read: granted('hr'), filter: granted('hr'), create: granted('hr'), update: granted('hr') },
    },
  },
  Post: { fields: { reviewer: { read: granted('admin') } } },
  Comment: { actions: { read: true, create: true, update: granted('admin'), delete: granted('admin') } },
  Order: { actions: { read: granted('hr'), create: granted('hr'), update: granted('hr', 'admin') } },
  OrderLine: { actions: { read: granted('hr') } },
  Refund: 'hidden',
  // Hidden by a comment.
  ApiToken: { actions: { read: granted('admin') }, fields: { secret: 'hidden' } },
  AuditEvent: { fields: { type: { name: 'kind' } } },
} satisfies Resources;

/** Returns the same resources for callers with certain grants, written by hand: what these may not do, no caller may. */
export function plainResources(held: readonly GrantName[]): Resources {
  const [hr, admin] = [held.includes('hr'), held.includes('admin')];
  return {
    User: {
      fields: {
        loginCount: { read: hr, filter: hr, sort: hr, update: hr || admin, create: false },
        email: hr ? { name: 'mail' } : 'hidden',
        recoveryCode: hr ? { read: true, filter: true, create: true, update: true } : 'hidden',
      },
    },
    Post: { fields: { reviewer: admin ? {} : 'hidden' } },
    Comment: { actions: admin ? ['read', 'create', 'update', 'delete'] : ['read', 'create'] },
    Order: hr ? { actions: ['read', 'create', 'update'] } : admin ? { actions: ['update'] } : 'hidden',
    OrderLine: hr ? { actions: ['read'] } : 'hidden',
    Refund: 'hidden',
    ApiToken: admin ? { actions: ['read'], fields: { secret: 'hidden' } } : 'hidden',
    AuditEvent: { fields: { type: { name: 'kind' } } },
  };
}

/** The grants, which a caller sends in a header: `X-Grants: hr admin`. */
export const GRANTS: NonNullable<ResourceApiOptions['grants']> = {
  hr: (request) => holds(request, 'hr'),
  admin: async (request) => Promise.resolve(holds(request, 'admin')),
};

export function holds({ headers }: PlatformRequest, grant: GrantName): boolean {
  return String(headers['x-grants'] ?? '')
    .split(' ')
    .includes(grant);
}

export const GRANT_SETS: readonly (readonly GrantName[])[] = [[], ['hr'], ['admin'], ['hr', 'admin']];
