import type { ApiError } from '../../errors/api-error.js';
import type { Resource } from '../../model/surface/surface.js';
import { type FamilyParameter, parameterError } from './parse-parameters.js';
import type { RestContext } from './rest-context.js';

/** The current selector of a filter that is being parsed. */
export interface FilterStep {
  readonly parameter: FamilyParameter;
  /** Index of the selector. */
  readonly index: number;
  /** The resource whose field the selector names. */
  readonly resource: Resource;
  readonly context: RestContext;
}

/** A selector such as `title$contains`, decomposed. Positions are those in the parameter's name, counted from 1. */
export interface Selector {
  readonly name: string;
  readonly position: number;
  /** Operator without its `$`; undefined if there is none. */
  readonly operator: string | undefined;
  readonly operatorPosition: number;
}

/** Decomposes the selector of a step. */
export function readSelector(step: FilterStep): Selector {
  const text = selectorText(step, step.index);
  const position = selectorPosition(step, step.index);
  const at = text.indexOf('$');
  if (at < 0) return { name: text, position, operator: undefined, operatorPosition: position };
  return { name: text.slice(0, at), position, operator: text.slice(at + 1), operatorPosition: position + at };
}

/**
 * Returns the operator of a plain field: after the field's name, or alone in the last selector with or without `$`.
 *
 * @throws ApiError `invalid-filter` if anything else follows the field
 */
export function readOperator(step: FilterStep, selector: Selector): Pick<Selector, 'operator' | 'operatorPosition'> {
  const next = step.index + 1;
  const count = step.parameter.selectors.length;
  if (next === count) return selector;
  const position = selectorPosition(step, next);
  if (selector.operator !== undefined || next < count - 1) {
    const excess = selector.operator === undefined ? selectorPosition(step, next + 1) : position;
    throw filterError(step, `Nothing can follow at position ${excess}.`);
  }
  return { operator: selectorText(step, next).replace(/^\$/, ''), operatorPosition: position };
}

/** Returns an `invalid-filter` error whose source is the step's parameter. */
export function filterError({ parameter }: FilterStep, detail: string): ApiError {
  return parameterError('invalid-filter', parameter.name, detail);
}

function selectorText({ parameter }: FilterStep, index: number): string {
  return parameter.selectors[index] ?? '';
}

function selectorPosition({ parameter }: FilterStep, index: number): number {
  const before = parameter.selectors.slice(0, index);
  const [family = ''] = parameter.name.split('[', 1);
  return family.length + before.reduce((sum, { length }) => sum + length + 2, 0) + 2;
}
