import type { ApiError } from '../../errors/api-error.js';
import { didYouMean } from '../../errors/did-you-mean.js';
import { quote } from '../../errors/quote.js';
import { comparesWholeLists, WITHOUT_LITERAL_WILDCARDS } from '../../model/surface/lacking-databases.js';
import { mayFilter } from '../../model/surface/rights.js';
import type { Attribute } from '../../model/surface/surface.js';
import { readText, remedyForPlus } from '../../model/values/scalar-types.js';
import {
  EQUALS,
  FILTER_OPERATORS,
  type FilterOperator,
  IN,
  isTextMatch,
  LIST_EQUALS,
  NOT_EQUALS,
  NOT_IN,
  suits,
} from './filter-operators.js';
import { filterError, type FilterStep, readOperator, type Selector } from './filter-step.js';
import { parameterError } from './parse-parameters.js';
import type { AttributeFilter } from './resource-query.js';
import { splitValues } from './split-list.js';

/**
 * Parses a filter by a plain field. The field's type determines the valid operators and the form of the values.
 *
 * @throws ApiError `invalid-filter` for an operator that does not exist, or that the field's type, the field's rights or the database do
 *   not allow; `invalid-value`
 */
export function parseAttributeCondition(attribute: Attribute, step: FilterStep, selector: Selector): AttributeFilter {
  const named = findOperator(attribute, step, selector);
  const texts = splitOperand(attribute, named, step.parameter.value);
  const operator = texts.length === 1 ? named : (SEVERAL.get(named) ?? named);
  if (!operator.prisma.every((one) => mayFilter(attribute.rights, one))) {
    throw filterError(step, `${describeOperator(operator)} is not open on '${attribute.member}'.`);
  }
  if (operator === LIST_EQUALS) requireComparable(attribute, texts, step);
  const values = readValues(texts, attribute, operator, step.parameter.name);
  if (isTextMatch(operator)) requireLiteral(values, step);
  return { kind: 'attribute', attribute, operator, values };
}

/** Rejects `%` and `_` in a text match if the database always treats them as wildcards, because such a filter would match too many rows. */
function requireLiteral(values: readonly unknown[], step: FilterStep): void {
  const { provider } = step.resource.database;
  if (!WITHOUT_LITERAL_WILDCARDS.has(provider) || !values.some((value) => /[%_]/.test(String(value)))) return;
  throw filterError(step, `The database (${provider}) cannot look for '%' and '_' within a text: they match anything there.`);
}

function requireComparable(attribute: Attribute, texts: readonly string[], step: FilterStep): void {
  if (texts.length === 0 || comparesWholeLists(attribute, step.resource.database)) return;
  throw filterError(step, `A list of ${attribute.type} is not compared as a whole: use '$has', '$hasEvery', '$hasSome' or '$isEmpty'.`);
}

/** Maps an operator to its meaning for several comma-separated values. */
const SEVERAL: ReadonlyMap<FilterOperator, FilterOperator> = new Map([
  [EQUALS, IN],
  [NOT_EQUALS, NOT_IN],
]);

function findOperator(attribute: Attribute, step: FilterStep, selector: Selector): FilterOperator {
  const { operator: name, operatorPosition } = readOperator(step, selector);
  if (name === undefined) return requireEquality(attribute, step, selector);
  const operator = FILTER_OPERATORS.get(name);
  const { provider } = step.resource.database;
  if (!operator) {
    const hint = didYouMean(name, FILTER_OPERATORS.keys());
    throw filterError(step, `There is no operator ${quote(`$${name}`)}, at position ${operatorPosition}.${hint}`);
  }
  if (operator.lackedBy.has(provider)) throw filterError(step, `The database (${provider}) has no operator '$${name}'.`);
  if (suits(operator, attribute)) return operator;
  throw unsuited(`The operator '$${name}'`, attribute, { step, position: operatorPosition });
}

function requireEquality(attribute: Attribute, step: FilterStep, { position }: Selector): FilterOperator {
  const operator = attribute.list ? LIST_EQUALS : EQUALS;
  if (suits(operator, attribute)) return operator;
  throw unsuited('Equality', attribute, { step, position });
}

function unsuited(
  operator: string,
  attribute: Attribute,
  { step, position }: { readonly step: FilterStep; readonly position: number },
): ApiError {
  const native = attribute.nativeType ? ` (@db.${attribute.nativeType[0]})` : '';
  const type = `${attribute.list ? 'a list of' : attribute.optional ? 'an optional' : 'a required'} ${attribute.type}${native}`;
  return filterError(step, `${operator} at position ${position} does not go with '${attribute.member}', ${type}.`);
}

function splitOperand({ type, list }: Attribute, { operand }: FilterOperator, value: string): readonly string[] {
  switch (operand) {
    case 'any':
    case 'range':
      // Commas of a JSON text belong to it.
      return type === 'Json' ? [value] : splitValues(value);
    case 'list':
      return list && value === '' ? [] : splitValues(value);
    case 'flag':
    case 'null':
      return [value];
  }
}

function readValues(texts: readonly string[], attribute: Attribute, operator: FilterOperator, name: string): readonly unknown[] {
  if (operator.operand === 'range' && texts.length !== 2) {
    throw parameterError('invalid-value', name, `$${operator.name} takes two values, separated by a comma.`);
  }
  if (operator.operand === 'flag' || operator.operand === 'null') return texts.map((text) => readFlag(text, name));
  return texts.map((text) => {
    const reading = readText(attribute, text);
    if ('value' in reading) return reading.value;
    const detail = `${quote(text)} is no value of '${attribute.member}': it must be ${reading.expected}.${remedyForPlus(attribute, text)}`;
    throw parameterError('invalid-value', name, detail);
  });
}

/** Parses the operand of "is null" and "is empty". */
export function readFlag(text: string, parameter: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw parameterError('invalid-value', parameter, `${quote(text)} must be true or false.`);
}

function describeOperator({ name }: FilterOperator): string {
  return name === '' ? 'Equality' : `The operator '$${name}'`;
}
