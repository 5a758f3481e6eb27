import type { DataCall, Plan } from '../data-client/plan.js';
import { isWrite, type Query } from '../query/query.js';
import { hasCursor, ruledRead } from './ruled-reads.js';
import type { RuleSet } from './rule-set.js';

/**
 * A plan of reads with the rules in its queries. Undefined for any other, and where queries cannot say all: a cursor has to be looked at first, and
 * a required relation under a rule is loaded apart.
 */
export function ruledPlan(rules: RuleSet, plan: Plan): Plan | undefined {
  switch (plan.kind) {
    case 'call': {
      const call = ruledCall(rules, plan.call);
      return call && { ...plan, call };
    }
    case 'collection': {
      const rows = ruledCall(rules, plan.rows);
      const total = plan.total && ruledCall(rules, plan.total);
      return rows && Boolean(total) === Boolean(plan.total) ? { ...plan, rows, ...(total && { total }) } : undefined;
    }
    case 'transaction':
      return undefined;
  }
}

function ruledCall<Asked extends Query>(rules: RuleSet, call: DataCall<Asked>): DataCall<Asked> | undefined {
  const { query, before } = call;
  if (isWrite(query) || before || hasCursor(query)) return undefined;
  const { query: ruled, apart } = ruledRead(rules, query);
  // A read under the rules is one of its kind.
  return apart.length === 0 ? { ...call, query: ruled as Asked } : undefined;
}
