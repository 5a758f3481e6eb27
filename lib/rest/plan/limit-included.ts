import { limitRelated } from '../../cost/limit-related.js';
import type { DataCall } from '../../data-client/plan.js';
import type { Resource } from '../../model/surface/surface.js';
import type { PlanContext } from './plan-context.js';

/** Whose call is limited, and by what. */
export interface IncludedRows {
  readonly resource: Resource;
  readonly context: PlanContext;
  /** Rows of a relationship that are primary data, in addition to the included ones. */
  readonly page?: number;
}

/** The call with a limit on its rows and on related rows, wherever there could be more of them. */
export function limitIncluded(call: DataCall, { resource, context: { limits, model }, page = 0 }: IncludedRows): DataCall {
  const { maxTake } = limits;
  const detail = `An answer holds at most ${maxTake} resources, and as many included ones (limits.maxTake).`;
  const problem = { code: 'limit-exceeded', detail } as const;
  const { operation, args } = call;
  const isOpen = operation === 'findMany' && Number(args['take']) > maxTake;
  const expect = limitRelated({ resource, operation, args, rows: maxTake + page, problem, storage: model.storage }, isOpen);
  // The rows of a page that is not full would make room for a list that is cut.
  return expect ? { ...call, expect: page > 0 ? { ...expect, list: maxTake } : expect } : call;
}
