import { bodyError } from './body-error.js';
import { parseLinkage } from './parse-linkage.js';
import type { RelationshipTarget } from './parse-target.js';
import { readDocument } from './read-document.js';
import type { RestContext } from './rest-context.js';
import type { Linkage } from './write-intent.js';

/**
 * Reads the body of a relationship's own URL: its `data` is resource linkage.
 *
 * @throws ApiError as {@link parseLinkage}; `invalid-payload` for what is no document; `forbidden` for clearing a required relationship (RE-11)
 */
export function parseLinkageDocument({ relationship, resource }: RelationshipTarget, body: unknown, context: RestContext): Linkage {
  const linkage = parseLinkage({ relationship, data: readDocument(body).data, pointer: '/data' }, context);
  if (relationship.many || relationship.optional || linkage.records.length > 0) return linkage;
  throw bodyError('forbidden', linkage.pointer, `${resource.type} cannot be without '${relationship.member}'.`);
}
