import { ConfigurationError } from '../../errors/configuration-error.js';
import { memberOf } from '../../errors/member-of.js';
import { type Plan, queriesOf, withoutRules } from '../../executor/plan.js';
import type { Run } from '../../executor/run.js';
import { isOpenTransaction } from '../../executor/transactions.js';
import type { DataLayerRequest } from '../../http/api-request.js';
import { mayRelink } from './versions/relinked-rows.js';
import { decomposed, needsDecomposition } from '../../rules/contested.js';
import { sumCosts } from '../../limits/cost.js';
import { measureCost } from '../../limits/measure-cost.js';
import type { RowRules } from '../../rules/row-rules.js';
import type { ServerValues } from './server-values/compile-server-values.js';
import { withServerValues } from './server-values/with-server-values.js';
import { withRequirements, addVersionChecks } from './versions/add-version-checks.js';

/** Options that the stages read. */
export interface StageOptions {
  /** Null where the application has neither rules nor hooks, and no model has soft delete. */
  readonly rules: RowRules | null;
  /** Null where the server sets no field. */
  readonly serverValues: ServerValues | null;
  /** Maximum number of rows that one write may match (`limits.maxTake`). */
  readonly maxRows: number;
}

/** Returns a changed copy of a run, or the run itself where the stage does not apply. */
type Stage = (run: Run, request: DataLayerRequest, options: StageOptions) => Run | Promise<Run>;

/**
 * The stages in their order. Each plan of a style passes them before its first statement. The clients of own code enforce the rules themselves
 * (`lib/own-code/callers-client.ts`).
 */
const STAGES: readonly Stage[] = [requireUndoable, addCost, setServerValues, enforceRules, decomposeUnsupported, incrementVersions];

/**
 * Prepares a run for its caller: passes it through all stages.
 *
 * @throws RuleError for a rule that yields no condition, and the errors of the application's functions
 */
export async function prepareRun(run: Run, request: DataLayerRequest, options: StageOptions): Promise<Run> {
  let prepared = run;
  for (const stage of STAGES) {
    const next = stage(prepared, request, options);
    // Only promises are awaited, because a tick for each stage that does not apply would delay every read.
    prepared = next instanceof Promise ? await next : next;
  }
  return prepared;
}

/**
 * Checks that writes can be rolled back, for a plan whose writes may have to be. In an open transaction of the application they could not: ZenStack
 * runs a nested one without a savepoint.
 *
 * @throws ConfigurationError
 */
function requireUndoable(run: Run): Run {
  const { plan, client } = run;
  if (plan.kind !== 'transaction' || !plan.mayBeUndone) return run;
  if (typeof memberOf(client, '$transaction') === 'function' && !isOpenTransaction(client)) return run;
  throw new ConfigurationError(
    'This write could not be undone: the data client has no $transaction, or is in an open transaction.',
    'Let getClient return the client itself, and not one of an open transaction, and use a database adapter with interactive transactions.',
  );
}

/** Adds the filter terms and joins of the plan, as the client has requested it, to the tally of its operation. */
function addCost(run: Run): Run {
  const { tally, plan } = run;
  if (!tally) return run;
  // A page and its total have the same condition, which counts once.
  const queries = plan.kind === 'collection' ? [plan.rows.query] : queriesOf(plan);
  const { terms, joins } = sumCosts(queries.map(measureCost));
  tally.cost = (tally.cost ?? 0) + terms + joins;
  return run;
}

/** Sets the server's values (`serverValues`) in every record that a run writes. */
function setServerValues(run: Run, { request }: DataLayerRequest, { serverValues }: StageOptions): Run | Promise<Run> {
  if (!serverValues || !run.isWrite) return run;
  return withServerValues(run.plan, serverValues, run.storage, request).then((plan) => withPlan(run, plan));
}

/**
 * Adds row rules, soft delete and hooks. Their executor decomposes nested writes into writes of single rows, and increments versions itself. A write that
 * none of them applies to (`direct`) keeps its run.
 */
function enforceRules(run: Run, request: DataLayerRequest, { rules }: StageOptions): Run | Promise<Run> {
  if (!rules) return run;
  const plan = run.isWrite ? withRequirements(run.plan) : run.plan;
  return rules
    .of({ plan, isWrite: run.isWrite }, request)
    .then((enforcement) => (run.isWrite && enforcement.writeMode === 'direct' ? run : { ...run, plan, enforcement }));
}

/** Decomposes a write that Prisma cannot run as it is, or whose changed versions depend on the rows that it finds. */
function decomposeUnsupported(run: Run, _: DataLayerRequest, { maxRows }: StageOptions): Run {
  if (!isLeftToDataLayer(run) || !(needsDecomposition(run.plan) || queriesOf(run.plan).some(mayRelink))) return run;
  const plan = withRequirements(run.plan);
  return { ...run, plan, enforcement: decomposed(plan, run.storage, maxRows) };
}

/** Increments the version of each row that the data layer updates, and adds the version of `If-Match` to the conditions. */
function incrementVersions(run: Run): Run {
  if (!isLeftToDataLayer(run)) return run;
  const plan = addVersionChecks(run.plan, run.storage);
  return plan === run.plan ? run : withPlan(run, plan);
}

function isLeftToDataLayer({ isWrite, enforcement }: Run): boolean {
  return isWrite && enforcement.writeMode === 'direct';
}

/** Replaces a plan that has no rules: before `enforceRules`, or where no rule applies. */
function withPlan(run: Run, plan: Plan): Run {
  return { ...run, plan, enforcement: withoutRules(plan) };
}
