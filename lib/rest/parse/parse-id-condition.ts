import { quote } from '../../errors/quote.js';
import { parseId } from '../../model/values/resource-id.js';
import type { Resource } from '../../model/surface/surface.js';
import type { Filter, KeyFilter } from './filter.js';
import { filterError, type FilterStep, readOperator, type Selector } from './filter-step.js';
import { parameterError } from './parameter-error.js';
import { parseAttributeCondition } from './parse-attribute-condition.js';
import { splitValues } from './split-values.js';
import { mayAddress } from '../../model/surface/rights.js';

/**
 * Reads `filter[id]`: the id of the resource, whatever field it is in. A compound id is equal to one of those given, or with `$ne` or
 * `$notIn` to none; a single one takes the operators of its field.
 *
 * @throws ApiError `invalid-filter`, `invalid-value`
 */
export function parseIdCondition(step: FilterStep, selector: Selector): Filter {
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

/** The operators of equality, without and with negation. */
const NEGATIONS: ReadonlyMap<string | undefined, boolean> = new Map([
  [undefined, false],
  ['in', false],
  ['ne', true],
  ['notIn', true],
]);

/** Reads ids of a resource, separated by commas. */
export function readIds(resource: Resource, { parameter, context }: FilterStep): KeyFilter['ids'] {
  return splitValues(parameter.value).map((text) => {
    const values = parseId(resource.identifier, text, context.settings.idDivider);
    if (values) return values;
    throw parameterError('invalid-value', parameter.name, `${quote(text)} cannot be an id of ${resource.type}.`);
  });
}
