import type { ResourcesOption } from 'nestjs-resource-api';
import type { resourceSchema } from './generated/resource-schema.js';

/** The exposure of the API beyond the comments of the Prisma schema. */
export const resources = {
  // Users cannot be created: a user needs a password, which this API hides.
  User: { actions: ['read', 'update', 'delete'] },
  // The author of a post sets its tags. From this side it would be an update of the tag, which the rules allow to admins alone.
  Tag: { fields: { posts: 'readOnly' } },
} as const satisfies ResourcesOption<typeof resourceSchema>;
