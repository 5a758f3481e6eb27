import { findExcess } from '../../limits/find-excess.js';
import { measureCost } from '../../limits/measure-cost.js';
import { type DataCall, inTransaction, type Planned, type TransactionPlan } from '../../executor/plan.js';
import { ApiError } from '../../errors/api-error.js';
import type { Condition } from '../../query/condition.js';
import type { ComingRow } from '../../query/later-value.js';
import type { Selection } from '../../query/selection.js';
import { bodyError } from '../parse/body-error.js';
import { eachOperation, OPERATIONS_POINTER } from '../parse/operations/at-operation.js';
import type { Linkage, WriteIntent } from '../parse/write-intent.js';
import type { PlanContext } from './plan-context.js';
import { planWrite, type Written } from './plan-write.js';

/** One of the writes of a request, and what is read of the row that it writes. */
interface OperationWrite {
  readonly intent: WriteIntent;
  readonly selection: Selection;
  /** What later operations know that row by. */
  readonly returns?: ComingRow;
  /** What must be true of the row that it changes, in addition. */
  readonly requires?: Condition | undefined;
}

/** Operations as one transaction. */
export interface PlannedOperations extends Planned<TransactionPlan, readonly Written[]> {
  /** The position of the operation that a call of the transaction is of. */
  readonly operationOf: (callIndex: number) => number;
}

/**
 * Plans operations as one transaction: all of them, in order, or none (AO-28). Each is planned and priced as its single request is; together they
 * have the limits of one request on the values that they write and on the members that they link.
 *
 * @throws ApiError before any SQL
 */
export async function planOperations(operations: readonly OperationWrite[], context: PlanContext): Promise<PlannedOperations> {
  requireMembers(operations, context);
  const planned = await eachOperation(operations, ({ intent, selection, requires }) => planWrite(intent, selection, context, requires));
  const groups = planned.map(({ plan }, index) => callsOf(plan, operations[index]));
  requireTogether(groups.flat(), context);
  const owners = groups.flatMap((calls, index) => calls.map(() => index));
  const { plan, read } = inTransaction(groups.flat(), (resultOf) =>
    planned.map((one, index) => one.read((groups[index] ?? []).map((call) => resultOf(call)))),
  );
  return { plan: { ...plan, undoesUnreadable: true }, read, operationOf: (callIndex) => owners[callIndex] ?? 0 };
}

/** The write of an operation is the last of its calls. */
function callsOf({ calls }: TransactionPlan, operation: OperationWrite | undefined): readonly DataCall[] {
  const { returns, intent } = operation ?? {};
  const awaits = intent && namesLater(intent) ? ({ awaitsRows: true } as const) : {};
  return calls.map((call, index) => ({ ...call, ...awaits, ...(returns && index === calls.length - 1 && { returns }) }));
}

/** Whether a write names a resource that an operation before creates. */
function namesLater(intent: WriteIntent): boolean {
  const id = 'target' in intent ? intent.target.id : 'id' in intent ? intent.id : undefined;
  return id?.lid !== undefined || linkagesOf(intent).some(({ records }) => records.some((record) => record.id.lid !== undefined));
}

function linkagesOf(intent: WriteIntent): readonly Linkage[] {
  if ('linkage' in intent) return [intent.linkage];
  return 'content' in intent ? intent.content.linkages : [];
}

function requireMembers(operations: readonly OperationWrite[], { limits: { maxBatchSize } }: PlanContext): void {
  const members = operations.flatMap(({ intent }) => linkagesOf(intent)).reduce((sum, { records }) => sum + records.length, 0);
  if (members <= maxBatchSize) return;
  const detail = `The relationships of all operations take at most ${maxBatchSize} members together (limits.maxBatchSize).`;
  throw bodyError('limit-exceeded', OPERATIONS_POINTER, detail);
}

/** What each of them reads of its own row is bounded by their number. */
function requireTogether(calls: readonly DataCall[], { limits }: PlanContext): void {
  const costs = calls.flatMap(({ query }) => {
    if ('isRequired' in query) return [];
    return [Object.fromEntries(Object.entries(measureCost(query)).filter(([argument]) => argument !== 'select'))];
  });
  const excess = findExcess(costs, limits);
  if (excess) throw new ApiError('limit-exceeded', excess.detail, { source: { pointer: OPERATIONS_POINTER } });
}
