import type { ResourcesOption } from '../../../../lib/index.js';
import type { resourceSchema } from '../../../support/generated/resource-schema.js';

type Resources = ResourcesOption<typeof resourceSchema>;

/**
 * One field, relation, model or action for each way to hide or forbid it. Comments of the schema hide more:
 * `User.passwordHash` and `User.recoveryCode` (unique) are hidden, `pin` is write-only, `loginCount` read-only, `locale` immutable, and the
 * model `ApiToken` does not exist.
 */
export const CLOSED_PARTS = {
  AuditEvent: { fields: { type: { name: 'kind' } } },
  // It can be filtered only by its exact value, not by contains or by comparison.
  User: { fields: { email: { filter: ['equals', 'in'], sort: false }, reviewedPosts: 'hidden' } },
  Post: { fields: { reviewer: 'hidden', category: 'immutable' } },
  Comment: { actions: ['read', 'create', 'update'], fields: { author: 'readOnly' } },
  Tag: { actions: ['read'] },
  Profile: { actions: ['read'] },
  Order: { fields: { customerId: 'immutable' } },
} as const satisfies Resources;

/** A write-only model and a read-only one. */
export const CLOSED_ACTIONS = {
  AuditEvent: { fields: { type: { name: 'kind' } } },
  User: { actions: ['create', 'update', 'delete'] },
  Post: { actions: ['read'] },
} as const satisfies Resources;

/** Parts of the hidden values in the seed. No response may contain one. */
export const HIDDEN_VALUES = ['$2b$10$', 'hash-of-user', '-RECOVERY', 'secret-token-of'] as const;

/** Names that no response, log line or link may contain, unless the request does. */
export const HIDDEN_NAMES = [
  'passwordHash',
  'recoveryCode',
  'ApiToken',
  'apiToken',
  'tokens',
  'secret',
  'reviewer',
  'reviewerId',
  'reviewedPosts',
] as const;
