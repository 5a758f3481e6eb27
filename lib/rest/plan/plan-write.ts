import { measureCost } from '../../limits/measure-cost.js';
import { inTransaction, type Planned, type TransactionPlan } from '../../executor/plan.js';
import type { Storage } from '../../model/storage/storage.js';
import { storedModel } from '../../model/storage/stored-model.js';
import { type Condition, uniqueAsCondition } from '../../query/condition.js';
import { uniqueCondition } from '../../query/key.js';
import type { Row } from '../../query/result.js';
import type { Selection } from '../../query/selection.js';
import { existenceChecks, freeKeys } from '../../run/stages/references/existence-checks.js';
import type { CreateIntent, DeleteIntent, LinkageIntent, UpdateIntent, WriteIntent } from '../parse/write-intent.js';
import type { PlanContext } from './plan-context.js';
import { planUpsert } from './plan-upsert.js';
import { contentChecks, linkedRecords, orphanChecks, referredRecords } from './referenced-records.js';
import { limitIncluded, requireAffordable } from './require-affordable.js';
import { takenChecks } from './taken-records.js';
import type { WriteSteps } from './write-steps.js';
import { writtenRecord } from './written-record.js';

/** What a write has come to. */
export interface Written {
  /** What the answer shows of the written record. */
  readonly row: Row;
  /** Whether an upsert has found a record to update. */
  readonly isUpdate: boolean;
}

/**
 * What a write asks for, all or nothing (WR-01), in one transaction where it takes more than one call. The write is the last call and returns
 * the row for the answer; the calls before it look at what it refers to. An answer that holds too much is refused (`limits.maxTake`), and so
 * must its write be: where there could be so much, what comes along with the written row is counted while nothing is written for good.
 *
 * @param selection what the answer shows of the written record
 * @param requires what must be true of the row that it changes, in addition
 * @throws ApiError `invalid-relation-data` for members that contradict each other, `limit-exceeded` for more than a request may ask
 */
export function planWrite(
  intent: WriteIntent,
  selection: Selection,
  context: PlanContext,
  requires?: Condition,
): Planned<TransactionPlan, Written> {
  const { query, checks, records, look, awaitsRows } = planSteps(intent, selection, context.model.storage);
  requireAffordable([measureCost(query)], context.limits);
  // The write takes the foreign keys of records from the checks before it, where these may find another spelling.
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
  const records = referredRecords(resource, content, storage);
  const record = writtenRecord(resource, content, 'attach', storage);
  const checks = [...existenceChecks(records, storage), ...takenChecks({ resource, content, record }, storage)];
  return { checks, records, query: { kind: 'create', model: record.model, record, selection } };
}

function planUpdate({ resource, id, content }: UpdateIntent, selection: Selection, storage: Storage): WriteSteps {
  const record = writtenRecord(resource, content, 'replace', storage);
  const where = uniqueCondition(record.model, resource.identifier, id.values);
  const records = referredRecords(resource, content, storage);
  const taken = takenChecks({ resource, content, record, owner: where }, storage);
  const checks = [...contentChecks(records, content, where, storage), ...taken];
  return { checks, records, query: { kind: 'update', model: record.model, where, record, selection } };
}

function planDelete({ resource, id }: DeleteIntent, selection: Selection, storage: Storage): WriteSteps {
  const model = storedModel(storage, resource.model);
  const where = uniqueCondition(model, resource.identifier, id.values);
  return { checks: [], records: [], query: { kind: 'delete', model, where, selection } };
}

/** What is not there needs no removing (RE-07), so that members to be removed are not looked for. */
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
  const taken = takenChecks({ resource, content, record, owner: where }, storage);
  const checks = [...existenceChecks(records, storage), ...orphans, ...taken];
  return { checks, records, query: { kind: 'update', model: record.model, where, record, selection } };
}
