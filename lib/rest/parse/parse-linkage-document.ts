import { parseLinkage } from './parse-linkage.js';
import { type RelationshipTarget } from './parse-target.js';
import { readDocument } from './read-document.js';
import { type RestContext } from './rest-context.js';
import { type Linkage } from './write-intent.js';

/**
 * Reads the body of a relationship's own URL: its `data` is resource linkage.
 *
 * @throws ApiError as {@link parseLinkage}; `invalid-payload` for what is no document
 */
export function parseLinkageDocument({ relationship }: RelationshipTarget, body: unknown, context: RestContext): Linkage {
  return parseLinkage({ relationship, data: readDocument(body).data, pointer: '/data' }, context);
}
