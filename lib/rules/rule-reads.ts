import type { DataCall, Plan } from '../data-client/plan.js';
import type { RuleSet } from './rule-set.js';
import { hasCursor, ruleRead } from './ruled-reads.js';

/**
 * A plan of reads with the rules among its arguments. Undefined for any other, and where arguments cannot say all: a cursor has to be looked at
 * first, and a required relation under a rule is loaded apart.
 *
 * @param models Prisma's model names by delegate
 */
export function ruleReads(rules: RuleSet, plan: Plan, models: ReadonlyMap<string, string>): Plan | undefined {
  const rule = (call: DataCall): DataCall | undefined => ruleCall(rules, call, models.get(call.delegate));
  switch (plan.kind) {
    case 'call': {
      const call = rule(plan.call);
      return call && { ...plan, call };
    }
    case 'collection': {
      const rows = rule(plan.rows);
      const total = plan.total && rule(plan.total);
      return rows && Boolean(total) === Boolean(plan.total) ? { ...plan, rows, ...(total && { total }) } : undefined;
    }
    case 'transaction':
      return undefined;
  }
}

function ruleCall(rules: RuleSet, call: DataCall, model: string | undefined): DataCall | undefined {
  const { operation, args, before } = call;
  if (model === undefined || before || !READS.test(operation) || hasCursor(args)) return undefined;
  const ruled = ruleRead(rules, { model, operation, args });
  return ruled.apart.length === 0 ? { ...call, args: ruled.args } : undefined;
}

const READS = /^(?:find|count)/;
