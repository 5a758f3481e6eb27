import { limitRelated } from '../../cost/limit-related.js';
import type { DataCall } from '../../data-client/plan.js';
import type { Limits } from '../../model/limits.js';
import type { Query } from '../../query/query.js';

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
