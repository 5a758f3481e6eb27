import { findExcess } from '../../limits/cost.js';
import { measureCost } from '../../limits/measure-cost.js';
import { type DataCall, inTransaction, type Planned, type TransactionPlan } from '../../executor/plan.js';
import { ApiError } from '../../errors/api-error.js';
import type { Condition } from '../../query/condition.js';
import type { PendingRow } from '../../query/pending-value.js';
import type { Selection } from '../../query/selection.js';
import { bodyError } from '../parse/body-error.js';
import { eachOperation, OPERATIONS_POINTER } from '../parse/operations/at-operation.js';
import type { Linkage, WriteIntent } from '../parse/write-intent.js';
import type { PlanContext } from './plan-context.js';
import { planWrite, type WriteResult } from './plan-write.js';

/** One write of a request, and the selection of the row that it writes. */
interface OperationWrite {
  readonly intent: WriteIntent;
  readonly selection: Selection;
  /** The placeholder by which later operations reference the row. */
  readonly returns?: PendingRow;
  /** An additional condition on the row that the write changes. */
  readonly requires?: Condition | undefined;
}

/** The operations of a request as one transaction. */
export interface PlannedOperations extends Planned<TransactionPlan, readonly WriteResult[]> {
  /** Returns the position of the operation that a call of the transaction belongs to. */
  readonly operationOf: (callIndex: number) => number;
}

/**
 * Plans operations as one transaction: all of them, in order, or none (AO-28). Each is planned and measured like a single request. Together they have
 * the limits of one request on the values that they write and on the members that they link.
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

/** Returns the calls of an operation. The last one is its write, which returns the row for later operations. */
function callsOf({ calls }: TransactionPlan, operation: OperationWrite | undefined): readonly DataCall[] {
  const { returns, intent } = operation ?? {};
  const awaits = intent && namesLater(intent) ? ({ awaitsRows: true } as const) : {};
  return calls.map((call, index) => ({ ...call, ...awaits, ...(returns && index === calls.length - 1 && { returns }) }));
}

/** Whether a write names a resource that an earlier operation creates. */
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

/** Rejects operations that exceed the limits together. Selections and look-ups do not count, because the number of operations limits them. */
function requireTogether(calls: readonly DataCall[], { limits }: PlanContext): void {
  const costs = calls.flatMap(({ query }) => {
    if ('isRequired' in query) return [];
    return [Object.fromEntries(Object.entries(measureCost(query)).filter(([argument]) => argument !== 'select'))];
  });
  const excess = findExcess(costs, limits);
  if (excess) throw new ApiError('limit-exceeded', excess.detail, { source: { pointer: OPERATIONS_POINTER } });
}
