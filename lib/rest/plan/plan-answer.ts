import type { TransactionPlan } from '../../data-client/plan.js';
import type { Resource } from '../../model/surface/surface.js';
import type { RelationshipTarget } from '../parse/parse-target.js';
import type { ResourceQuery } from '../parse/resource-query.js';
import type { Select } from '../projection/projection.js';
import { limitIncluded } from './limit-included.js';
import type { PlanContext } from './plan-context.js';
import { planRelated } from './plan-read.js';

/** The answer to a write of a relationship: as a `GET` of it. */
export function planLinkageAnswer(query: ResourceQuery<RelationshipTarget>, context: PlanContext): Select {
  return planRelated(query, context).call.args['select'] as Select;
}

/**
 * The plan of a write with its answer. An answer that holds too much is refused (`limits.maxTake`), and so must its write be: where there
 * could be so much, what comes along with the written row is counted while nothing is written for good.
 */
export function limitAnswer(plan: TransactionPlan, resource: Resource, context: PlanContext): TransactionPlan {
  const write = plan.calls.at(-1);
  return write ? { ...plan, calls: [...plan.calls.slice(0, -1), limitIncluded(write, { resource, context })] } : plan;
}
