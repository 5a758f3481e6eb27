import type { ResourcesOption } from 'nestjs-resource-api/schema';
import type { resourceSchema } from './generated/resource-schema.js';

/** The exposure of the API beyond the comments of the Prisma schema; front ends derive their types from it. */
export const resources = {
  // Users cannot be created: a user needs a password, which this API hides.
  User: { actions: ['read', 'update', 'delete'] },
} as const satisfies ResourcesOption<typeof resourceSchema>;
