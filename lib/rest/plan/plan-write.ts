import { measureCost } from '../../limits/measure-cost.js';
import { inTransaction, type Planned, type TransactionPlan } from '../../executor/plan.js';
import type { Storage } from '../../model/storage/storage.js';
import { storedModel } from '../../model/storage/stored-model.js';
import { type Condition, uniqueAsCondition } from '../../query/condition.js';
import { uniqueCondition } from '../../query/key.js';
import type { Row } from '../../query/result.js';
import type { Selection } from '../../query/selection.js';
import { existenceChecks, freeKeys } from '../../run/checks/existence-checks.js';
import type { CreateIntent, DeleteIntent, LinkageIntent, UpdateIntent, WriteIntent } from '../parse/write-intent.js';
import type { PlanContext } from './plan-context.js';
import { planUpsert } from './plan-upsert.js';
import { contentChecks, linkedRecords, orphanChecks, referencedRecords } from './referenced-records.js';
import { limitIncluded, requireAffordable } from './require-affordable.js';
import { oneToOneChecks } from './one-to-one-checks.js';
import type { WriteSteps } from './write-steps.js';
import { writtenRecord } from './written-record.js';

/** The result of a write. */
export interface WriteResult {
  /** The written row, with the selection of the response. */
  readonly row: Row;
  /** Whether an upsert has found a record to update. */
  readonly isUpdate: boolean;
}

/**
 * Plans a write as a transaction (WR-01), which the executor opens only if the write needs more than one statement. The write is the last call, and
 * returns the row of the response. The calls before it check the rows that it references.
 *
 * A response with too many resources is rejected (`limits.maxTake`), and its write with it. If this is possible, the related rows of the written row
 * are counted before the commit.
 *
 * @param selection the selection of the response
 * @param requires an additional condition on the row that the write changes
 * @throws ApiError `invalid-relation-data` for members that contradict each other, `limit-exceeded` for a write that costs more than a request may
 */
export function planWrite(
  intent: WriteIntent,
  selection: Selection,
  context: PlanContext,
  requires?: Condition,
): Planned<TransactionPlan, WriteResult> {
  const { query, checks, records, look, awaitsRows } = planSteps(intent, selection, context.model.storage);
  requireAffordable([measureCost(query)], context.limits);
  // If a check may find a collation-equal key, the write stores the key that the check has found.
  const foreignKeys = freeKeys(records, context.model.storage);
  const call = {
    query,
    ...(requires && { requires }),
    ...(foreignKeys.length > 0 && { foreignKeys }),
    ...(awaitsRows && { awaitsRows }),
  };
  const write = limitIncluded(call, context.limits);
  return inTransaction([...checks, ...(look ? [look] : []), write], (resultOf) => ({
    row: resultOf(write),
    isUpdate: look !== undefined && (resultOf(look) ?? null) !== null,
  }));
}

function planSteps(intent: WriteIntent, selection: Selection, storage: Storage): WriteSteps {
  switch (intent.kind) {
    case 'create':
      return planCreate(intent, selection, storage);
    case 'upsert':
      return planUpsert(intent, selection, storage);
    case 'update':
      return planUpdate(intent, selection, storage);
    case 'delete':
      return planDelete(intent, selection, storage);
    case 'add':
    case 'remove':
    case 'replace':
      return planLinkage(intent, selection, storage);
  }
}

function planCreate({ resource, content }: CreateIntent, selection: Selection, storage: Storage): WriteSteps {
  const records = referencedRecords(resource, content, storage);
  const record = writtenRecord(resource, content, 'attach', storage);
  const checks = [...existenceChecks(records, storage), ...oneToOneChecks({ resource, content, record }, storage)];
  return { checks, records, query: { kind: 'create', model: record.model, record, selection } };
}

function planUpdate({ resource, id, content }: UpdateIntent, selection: Selection, storage: Storage): WriteSteps {
  const record = writtenRecord(resource, content, 'replace', storage);
  const where = uniqueCondition(record.model, resource.identifier, id.values);
  const records = referencedRecords(resource, content, storage);
  const taken = oneToOneChecks({ resource, content, record, owner: where }, storage);
  const checks = [...contentChecks(records, content, where, storage), ...taken];
  return { checks, records, query: { kind: 'update', model: record.model, where, record, selection } };
}

function planDelete({ resource, id }: DeleteIntent, selection: Selection, storage: Storage): WriteSteps {
  const model = storedModel(storage, resource.model);
  const where = uniqueCondition(model, resource.identifier, id.values);
  return { checks: [], records: [], query: { kind: 'delete', model, where, selection } };
}

/** Plans a change of linkage. Members to remove need not exist (RE-07), so that no check reads them. */
function planLinkage(
  { kind: change, target: { resource, id }, linkage }: LinkageIntent,
  selection: Selection,
  storage: Storage,
): WriteSteps {
  const content = { attributes: [], linkages: [linkage] };
  const record = writtenRecord(resource, content, change, storage);
  const where = uniqueCondition(record.model, resource.identifier, id.values);
  const records = change === 'remove' ? [] : linkedRecords([linkage], storage);
  const orphans = orphanChecks([linkage], { where: uniqueAsCondition(where), change, refusal: 'forbidden' }, storage);
  const taken = oneToOneChecks({ resource, content, record, owner: where }, storage);
  const checks = [...existenceChecks(records, storage), ...orphans, ...taken];
  return { checks, records, query: { kind: 'update', model: record.model, where, record, selection } };
}
