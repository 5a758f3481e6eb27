import type { ApiError } from '../../errors/api-error.js';
import { didYouMean } from '../../errors/did-you-mean.js';
import { quote } from '../../errors/quote.js';
import type { Field, Relationship } from '../../model/surface/surface.js';
import type { Filter, RelationFilter } from './filter.js';
import { filterError, type FilterStep, readSelector, type Selector } from './filter-step.js';
import { parseAttributeCondition } from './parse-attribute-condition.js';
import { parseIdCondition } from './parse-id-condition.js';
import { parseLinkageCondition } from './parse-linkage-condition.js';
import { matchOf } from './relation-match.js';

/**
 * Reads one filter, from a selector of its name to the value. After a relationship the next selector is a field of what it leads to; after a
 * plain field it can only be an operator (decision D9).
 *
 * @throws ApiError `invalid-filter`, `invalid-value`
 */
export function parseCondition(step: FilterStep): Filter {
  if (step.index === step.parameter.selectors.length) throw filterError(step, 'The filter names no field: it is written filter[field].');
  const selector = readSelector(step);
  if (selector.name === 'id') return parseIdCondition(step, selector);
  const field = findField(step, selector);
  if (field.kind === 'attribute') return parseAttributeCondition(field, step, selector);
  if (step.index === step.parameter.selectors.length - 1) return parseLinkageCondition(field, step, selector);
  const match = requireMatch(field, selector, step);
  const filter = parseCondition({ ...step, index: step.index + 1, resource: field.target });
  return { kind: 'relation', relationship: field, match, filter };
}

function findField(step: FilterStep, selector: Selector): Field {
  const field = step.resource.members.get(selector.name);
  if (field !== undefined && field.rights.filter !== false) return field;
  throw unknownField(step, selector, field);
}

function unknownField(step: FilterStep, selector: Selector, field: Field | undefined): ApiError {
  if (field) return filterError(step, `${quote(selector.name)} at position ${selector.position} cannot be filtered by.`);
  const { resource } = step;
  if (selector.name === 'or') {
    return filterError(step, `'or' at position ${selector.position} is followed by a number and a field: filter[or][0][field].`);
  }
  const known = [...resource.members.values()].filter(({ rights }) => rights.filter !== false).map(({ member }) => member);
  const hint = didYouMean(selector.name, ['id', ...known]);
  return filterError(step, `${resource.type} has no field ${quote(selector.name)}, at position ${selector.position}.${hint}`);
}

function requireMatch(relationship: Relationship, { operator, operatorPosition }: Selector, step: FilterStep): RelationFilter['match'] {
  const match = matchOf(relationship, operator);
  if (match !== undefined) return match;
  const remedy = relationship.many ? 'takes $some, $every or $none there' : 'takes no operator there';
  throw filterError(step, `${quote(`$${operator ?? ''}`)} at position ${operatorPosition}: '${relationship.member}' ${remedy}.`);
}
