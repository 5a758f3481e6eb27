import type { ApiError } from '../../errors/api-error.js';
import { didYouMean } from '../../errors/did-you-mean.js';
import { quote } from '../../errors/quote.js';
import { mayAddress } from '../../model/surface/rights.js';
import type { Field, Relationship, Resource } from '../../model/surface/surface.js';
import { parseId } from '../../model/values/resource-id.js';
import { filterError, type FilterStep, readOperator, readSelector, type Selector } from './filter-step.js';
import { parseAttributeCondition, readFlag } from './parse-attribute-condition.js';
import { parameterError } from './parse-parameters.js';
import type { Filter, KeyFilter, RelationFilter } from './resource-query.js';
import { splitValues } from './split-list.js';

/**
 * Parses one filter, from a selector of its name to the value. After a relationship, the next selector is a field of the related resource.
 * After a plain field, it can only be an operator.
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
  const match = (relationship.many ? TO_MANY : TO_ONE).get(operator);
  if (match !== undefined) return match;
  const remedy = relationship.many ? 'takes $some, $every or $none there' : 'takes no operator there';
  throw filterError(step, `${quote(`$${operator ?? ''}`)} at position ${operatorPosition}: '${relationship.member}' ${remedy}.`);
}

/**
 * Parses `filter[id]`, a filter by the resource's id.
 *
 * An id of one field accepts the operators of that field. A compound id accepts equality and `$in`, and their negations `$ne` and `$notIn`.
 */
function parseIdCondition(step: FilterStep, selector: Selector): Filter {
  const key = step.resource.identifier;
  const [only, ...others] = key.fields;
  if (key.fields.some(({ rights }) => rights.filter === false))
    throw filterError(step, `'id' at position ${selector.position} cannot be filtered by.`);
  if (only && others.length === 0) return parseAttributeCondition(only, step, selector);
  const { operator, operatorPosition } = readOperator(step, selector);
  const negated = NEGATIONS.get(operator);
  if (negated === undefined)
    throw filterError(step, `A compound id takes $in, $ne and $notIn, not ${quote(`$${operator ?? ''}`)} at position ${operatorPosition}.`);
  if (!mayAddress(key)) throw filterError(step, "Equality is not open on 'id'.");
  return { kind: 'key', resource: step.resource, ids: readIds(step.resource, step), negated };
}

/** The operators of equality, with whether each is negated. */
const NEGATIONS: ReadonlyMap<string | undefined, boolean> = new Map([
  [undefined, false],
  ['in', false],
  ['ne', true],
  ['notIn', true],
]);

function readIds(resource: Resource, { parameter, context }: FilterStep): KeyFilter['ids'] {
  return splitValues(parameter.value).map((text) => {
    const values = parseId(resource.identifier, text, context.settings.idDivider);
    if (values) return values;
    throw parameterError('invalid-value', parameter.name, `${quote(text)} cannot be an id of ${resource.type}.`);
  });
}

/**
 * Parses a filter by a relationship: by ids of related resources, or by whether one exists (`$null` of a to-one, `$isEmpty` of a to-many).
 * A to-many relationship matches if some related resource does (specification, 4.1.1, rule 2).
 */
function parseLinkageCondition(relationship: Relationship, step: FilterStep, selector: Selector): Filter {
  const { operator, operatorPosition } = selector;
  if (operator !== undefined && operator === presenceOperator(relationship)) {
    return { kind: 'presence', relationship, present: !readFlag(step.parameter.value, step.parameter.name) };
  }
  const match = (relationship.many ? TO_MANY_IDS : TO_ONE_ID).get(operator);
  if (match === undefined) {
    throw filterError(step, `'${relationship.member}' takes no operator ${quote(`$${operator ?? ''}`)}, at position ${operatorPosition}.`);
  }
  requireOpenIds(relationship, step, selector);
  const { target } = relationship;
  const filter: KeyFilter = { kind: 'key', resource: target, ids: readIds(target, step), negated: false };
  return { kind: 'relation', relationship, match, filter };
}

/**
 * Requires the right to filter by the ids of related resources. If the resource's foreign key holds them, its filter right suffices, which
 * `findField` has checked.
 */
function requireOpenIds(relationship: Relationship, step: FilterStep, { position }: Selector): void {
  const { member, target } = relationship;
  if (relationship.linkageKey !== undefined || mayAddress(target.identifier)) return;
  throw filterError(step, `'${member}' at position ${position} cannot be filtered by: the ids of ${target.type} are closed to it.`);
}

/** Returns the operator that tests whether a related resource exists. A required to-one relationship has none. */
function presenceOperator({ many, optional }: Relationship): string | undefined {
  if (many) return 'isEmpty';
  return optional ? 'null' : undefined;
}

/**
 * Maps the operator of a condition on related resources to the resources that must match. The default of to-many is `some` (specification,
 * 4.1.1, rule 5). Other operators are rejected.
 */
type Matches = ReadonlyMap<string | undefined, RelationFilter['match']>;

const TO_ONE: Matches = new Map([[undefined, 'one']]);

const TO_MANY: Matches = new Map([
  [undefined, 'some'],
  ['some', 'some'],
  ['every', 'every'],
  ['none', 'none'],
]);

/** Conditions on ids accept the operators of equality as well. */
const TO_ONE_ID: Matches = new Map([...TO_ONE, ['in', 'one'], ['ne', 'notOne'], ['notIn', 'notOne']]);
const TO_MANY_IDS: Matches = new Map([...TO_MANY, ['in', 'some'], ['ne', 'none'], ['notIn', 'none']]);
