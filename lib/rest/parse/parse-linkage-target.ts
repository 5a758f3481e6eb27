import { ApiError } from '../../errors/api-error.js';
import { parseRelationshipTarget, type PathParameters, type RelationshipTarget } from './parse-target.js';
import type { RestContext } from './rest-context.js';
import type { LinkageIntent } from './write-intent.js';

/**
 * Reads the path of a relationship whose linkage is to be changed: `/:type/:id/relationships/:relationship`.
 *
 * @throws ApiError as `parseRelationshipTarget`; `forbidden` where the relationship is closed to updates, or is to-one and not to be replaced
 * as a whole (RE-11, decision D4)
 */
export function parseLinkageTarget(change: LinkageIntent['kind'], params: PathParameters, context: RestContext): RelationshipTarget {
  const target = parseRelationshipTarget('update', { kind: 'relationship', params }, context);
  const { member, rights, many } = target.relationship;
  if (!rights.update || !target.relationship.linkable.update)
    throw new ApiError('forbidden', `The relationship '${member}' cannot be changed here.`);
  if (many || change === 'replace') return target;
  throw new ApiError('forbidden', `'${member}' is to-one, which has no members to ${change}: replace it with PATCH.`);
}

/**
 * Reads the path of what a to-one relationship leads to, `/:type/:id/:relationship`, where the specification replaces its linkage in one example
 * (decision D14).
 *
 * @throws ApiError as {@link parseLinkageTarget}; `invalid-verb` for a to-many relationship, and in strict mode
 */
export function parseRelatedLinkageTarget(params: PathParameters, context: RestContext): RelationshipTarget {
  const { relationship } = parseRelationshipTarget('update', { kind: 'related', params }, context);
  if (!relationship.many && !context.settings.strict) return parseLinkageTarget('replace', params, context);
  const detail = `Change '${relationship.member}' at its own URL, which ends in /relationships/${relationship.member}.`;
  throw new ApiError('invalid-verb', detail, { headers: { Allow: 'GET, HEAD, QUERY' } });
}
