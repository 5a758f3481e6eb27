import { findExcess } from '../../cost/find-excess.js';
import { type CallCost, measureCost } from '../../cost/measure-cost.js';
import { ApiError, type ProblemSource } from '../../errors/api-error.js';
import type { Limits } from '../../model/limits.js';
import type { Query } from '../../query/query.js';
import { QUERY_FAMILIES } from '../parse/query-families.js';
import type { QueryParameter } from '../parse/resource-query.js';

/** A query, and what it was made of. */
export interface Priced {
  readonly query: Query;
  readonly parameters?: readonly QueryParameter[];
  /** What else the request costs. */
  readonly way?: CallCost;
}

/**
 * Refuses a query that asks for more than a request may.
 *
 * @throws ApiError `limit-exceeded`, at the parameter or the part of the body that takes the largest share
 */
export function requireAffordable({ query, parameters = [], way = {} }: Priced, limits: Limits): void {
  const excess = findExcess([measureCost(query), way], limits, nameOf);
  if (!excess) return;
  const source = sourceOf(excess.argument, parameters);
  throw new ApiError('limit-exceeded', excess.detail, { ...(source && { source }) });
}

/** What clients call the arguments of the data client. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(QUERY_FAMILIES).flatMap(([name, family]) => ('argument' in family ? [[family.argument, name] as const] : [])),
  ['create', 'data'],
  ['update', 'data'],
]);

function nameOf(argument: string): string {
  return NAMES.get(argument) ?? argument;
}

/** The parameter where there is one of its family; the family's name where there are several. The relationship of a path is neither. */
function sourceOf(argument: string, parameters: readonly QueryParameter[]): ProblemSource | undefined {
  if (argument === 'relationship') return undefined;
  const name = nameOf(argument);
  if (name === 'data') return { pointer: '/data' };
  const given = parameters.map(([parameter]) => parameter).filter((parameter) => parameter.split('[', 1)[0] === name);
  return { parameter: given.length === 1 ? (given[0] ?? name) : name };
}
