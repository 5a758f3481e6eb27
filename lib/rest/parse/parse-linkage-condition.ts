import { quote } from '../../errors/quote.js';
import type { Relationship } from '../../model/surface/surface.js';
import type { Filter, KeyFilter } from './filter.js';
import { filterError, type FilterStep, type Selector } from './filter-step.js';
import { readFlag } from './parse-attribute-condition.js';
import { readIds } from './parse-id-condition.js';
import { linkageMatchOf } from './relation-match.js';
import { mayAddress } from '../../model/surface/rights.js';

/**
 * Reads a filter by a relationship itself: the ids of related resources, or whether there is any (`$null` of a to-one, `$isEmpty` of a
 * to-many). A to-many one matches when some related resource does (specification, 4.1.1, rule 2).
 *
 * @throws ApiError `invalid-filter`, `invalid-value`
 */
export function parseLinkageCondition(relationship: Relationship, step: FilterStep, selector: Selector): Filter {
  const { operator, operatorPosition } = selector;
  if (operator !== undefined && operator === presenceOperator(relationship)) {
    return { kind: 'presence', relationship, present: !readFlag(step.parameter.value, step.parameter.name) };
  }
  const match = linkageMatchOf(relationship, operator);
  if (match === undefined) {
    throw filterError(step, `'${relationship.member}' takes no operator ${quote(`$${operator ?? ''}`)}, at position ${operatorPosition}.`);
  }
  requireOpenIds(relationship, step, selector);
  const { target } = relationship;
  const filter: KeyFilter = { kind: 'key', resource: target, ids: readIds(target, step), negated: false };
  return { kind: 'relation', relationship, match, filter };
}

/** Ids are values of the target, whose rights they have; where the foreign key holds them they are its own, and its right has been asked. */
function requireOpenIds(relationship: Relationship, step: FilterStep, { position }: Selector): void {
  const { member, target } = relationship;
  if (relationship.linkageKey !== undefined || mayAddress(target.identifier)) return;
  throw filterError(step, `'${member}' at position ${position} cannot be filtered by: the ids of ${target.type} are closed to it.`);
}

/** Asks whether there is any; of a relationship that is never without one, nothing does. */
function presenceOperator({ many, optional }: Relationship): string | undefined {
  if (many) return 'isEmpty';
  return optional ? 'null' : undefined;
}
