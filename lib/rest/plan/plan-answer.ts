import { type RelatedRows, type TransactionPlan } from '../../data-client/plan.js';
import { type RelationshipTarget } from '../parse/parse-target.js';
import { type ResourceQuery, type SingleQuery } from '../parse/resource-query.js';
import { type Shape } from '../parse/resource-shape.js';
import { type RestContext } from '../parse/rest-context.js';
import { planRelated } from './plan-read.js';
import { planSelect, type Select } from './plan-select.js';

/** What a write returns for its answer. */
export interface AnswerPlan {
  readonly select: Select;
  /** What of it are resources beside the written one. */
  readonly related: RelatedRows;
}

/** The answer to a write of a resource. */
export function planAnswer({ shape }: SingleQuery, { limits }: RestContext): AnswerPlan {
  return { select: planSelect(shape, limits.maxTake), related: includedIn(shape) };
}

/** The answer to a write of a relationship: as a `GET` of it. */
export function planLinkageAnswer(query: ResourceQuery<RelationshipTarget>, context: RestContext): AnswerPlan {
  const { select } = planRelated(query, context).call.args;
  return { select: select as Select, related: { [query.target.relationship.name]: includedIn(query.shape) } };
}

function includedIn(shape: Shape): RelatedRows {
  if (shape.kind === 'key') return {};
  const included = shape.relationships.flatMap(({ relationship, related }) => {
    return related?.kind === 'resource' ? [[relationship.name, includedIn(related)] as const] : [];
  });
  return Object.fromEntries(included);
}

/**
 * The plan of a write with that answer. An answer that holds too much is refused (`limits.maxTake`), and so must its write be: where there
 * could be so much, what comes along with the written row is counted while nothing is written for good.
 */
export function limitAnswer(plan: TransactionPlan, { select, related }: AnswerPlan, maxTake: number): TransactionPlan {
  const write = plan.calls.at(-1);
  if (!write || mostRows(select, related) <= maxTake) return plan;
  const detail = `The answer to a write holds at most ${maxTake} included resources (limits.maxTake).`;
  const expect = { kind: 'related-at-most', related, rows: maxTake, problem: { code: 'limit-exceeded', detail } } as const;
  return { ...plan, calls: [...plan.calls.slice(0, -1), { ...write, expect }] };
}

/** Of a to-one relationship one row is loaded, of a to-many one what its `select` takes. */
function mostRows(select: Select, related: RelatedRows): number {
  return Object.entries(related).reduce((most, [name, inner]) => {
    const wanted = select[name] as RelatedSelect | undefined;
    return wanted ? most + (wanted.take ?? 1) * (1 + mostRows(wanted.select, inner)) : most;
  }, 0);
}

interface RelatedSelect {
  readonly take?: number;
  readonly select: Select;
}
