import { findExcess } from '../../limits/find-excess.js';
import { limitRelated } from '../../limits/limit-related.js';
import type { CallCost } from '../../limits/measure-cost.js';
import type { DataCall } from '../../executor/plan.js';
import { ApiError, type ProblemSource } from '../../errors/api-error.js';
import type { Limits } from '../../model/limits.js';
import type { Query } from '../../query/query.js';
import { QUERY_FAMILIES } from '../parse/query-families.js';
import type { QueryParameter } from '../parse/resource-query.js';

/**
 * Refuses a request that costs more than it may.
 *
 * @param costs what its parts cost
 * @param parameters what it was made of
 * @throws ApiError `limit-exceeded`, at the parameter or the part of the body that takes the largest share
 */
export function requireAffordable(costs: readonly CallCost[], limits: Limits, parameters: readonly QueryParameter[] = []): void {
  const excess = findExcess(costs, limits, nameParameter);
  if (!excess) return;
  const source = sourceOf(excess.argument, parameters);
  throw new ApiError('limit-exceeded', excess.detail, { ...(source && { source }) });
}

/** What clients call the arguments of the data client. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ...[...QUERY_FAMILIES.values()].flatMap(({ name, argument }) => (argument === undefined ? [] : [[argument, name] as const])),
  ['create', 'data'],
  ['update', 'data'],
]);

function nameParameter(argument: string): string {
  return NAMES.get(argument) ?? argument;
}

/** The parameter where there is one of its family; the family's name where there are several. The relationship of a path is neither. */
function sourceOf(argument: string, parameters: readonly QueryParameter[]): ProblemSource | undefined {
  if (argument === 'relationship') return undefined;
  const name = nameParameter(argument);
  if (name === 'data') return { pointer: '/data' };
  const given = parameters.map(([parameter]) => parameter).filter((parameter) => parameter.split('[', 1)[0] === name);
  return { parameter: given.length === 1 ? (given[0] ?? name) : name };
}

/**
 * The call with a limit on its rows and on related rows, wherever there could be more of them.
 *
 * @param page rows of a relationship that are primary data, in addition to the included ones
 */
export function limitIncluded<Asked extends Query>(call: DataCall<Asked>, { maxTake }: Limits, page = 0): DataCall<Asked> {
  const detail = `An answer holds at most ${maxTake} resources, and as many included ones (limits.maxTake).`;
  const query: Query = call.query;
  const isOpen = query.kind === 'find' && (query.page.take ?? 0) > maxTake;
  const expect = limitRelated(query, { rows: maxTake + page, problem: { code: 'limit-exceeded', detail } }, isOpen);
  // The rows of a page that is not full would make room for a list that is cut.
  return expect ? { ...call, expect: page > 0 ? { ...expect, list: maxTake } : expect } : call;
}
