import type { ResourcesOption } from 'nestjs-resource-api';
import type { resourceSchema } from './generated/resource-schema.js';

/** What the API shows beyond the comments of the Prisma schema. */
export const resources = {
  // Nobody signs up here: a user needs a password, which this API hides.
  User: { actions: ['read', 'update', 'delete'] },
  // The author of a post says which tags it has. From this side an update of the tag would do, which the rules leave to admins.
  Tag: { fields: { posts: 'readOnly' } },
} as const satisfies ResourcesOption<typeof resourceSchema>;
