import { measureCost } from '../../cost/measure-cost.js';
import { type DataCall, inTransaction, type Planned, type TransactionPlan } from '../../data-client/plan.js';
import type { DatabaseProvider } from '../../model/schema/resource-schema.js';
import type { Storage } from '../../model/storage/storage.js';
import { storedModel } from '../../model/storage/stored-model.js';
import type { Resource, UniqueKey } from '../../model/surface/surface.js';
import { type Condition, uniqueAsCondition, type UniqueCondition } from '../../query/condition.js';
import { selectFields } from '../../query/fields.js';
import { uniqueCondition } from '../../query/key.js';
import type { FindUnique } from '../../query/read.js';
import type { Row } from '../../query/result.js';
import type { Selection } from '../../query/selection.js';
import type { Create, Delete, Update, Upsert } from '../../query/write.js';
import { existenceChecks, freeKeys, type ReferredRecord } from '../../references/existence-checks.js';
import {
  type AttributeValue,
  attributeValues,
  type CreateIntent,
  type DeleteIntent,
  type LinkageIntent,
  type ResourceContent,
  type UpdateIntent,
  upsertChanges,
  type UpsertIntent,
  type WriteIntent,
} from '../parse/write-intent.js';
import type { PlanContext } from './plan-context.js';
import { foreignKeyRecords, linkedRecords, orphanChecks, referredRecords } from './referred-records.js';
import { limitIncluded, requireAffordable } from './require-affordable.js';
import { recordOf, writtenRecord } from './written-record.js';

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
  const { query, checks, records, look } = planSteps(intent, selection, context.model.storage);
  requireAffordable([measureCost(query)], context.limits);
  // The write takes the foreign keys of records from the checks before it, where these may find another spelling.
  const foreignKeys = freeKeys(records, context.model.storage);
  const call = { query, ...(requires && { requires }), ...(foreignKeys.length > 0 && { foreignKeys }) };
  const write = limitIncluded(call, context.limits);
  return inTransaction([...checks, ...(look ? [look] : []), write], (resultOf) => ({
    row: resultOf(write),
    isUpdate: look !== undefined && (resultOf(look) ?? null) !== null,
  }));
}

/** A write of one row. */
type RowWrite = Create | Update | Upsert | Delete;

/** What a write takes. */
interface Steps {
  readonly checks: readonly DataCall[];
  /** Finds what an upsert updates: the data client does not say what it did. */
  readonly look?: DataCall<FindUnique>;
  readonly query: RowWrite;
  /** All that must be there for it. */
  readonly records: readonly ReferredRecord[];
}

function planSteps(intent: WriteIntent, selection: Selection, storage: Storage): Steps {
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

function planCreate({ resource, content }: CreateIntent, selection: Selection, storage: Storage): Steps {
  const records = referredRecords(resource, content, storage);
  const record = writtenRecord(resource, content, 'attach', storage);
  return { checks: existenceChecks(records, storage), records, query: { kind: 'create', model: record.model, record, selection } };
}

function planUpsert(intent: UpsertIntent, selection: Selection, storage: Storage): Steps {
  const { resource, match, content } = intent;
  const changes = intent.changes ?? upsertChanges(match, content);
  const names = match.fields.map(({ name }) => name);
  const values = new Map([...attributeValues(content)].filter(([name]) => names.includes(name)));
  const model = storedModel(storage, resource.model);
  const where = uniqueCondition(model, match, Object.fromEntries(values));
  const create = writtenRecord(resource, content, 'attach', storage);
  const update = writtenRecord(resource, changes, 'replace', storage);
  const isEmpty = update.fields.length === 0 && update.relations.length === 0;
  const same = isEmpty && isRewritable(match, resource) && recordOf(resource, 'replace', { values, relations: [] }, storage);
  const records = [
    ...referredRecords(resource, content, storage),
    ...foreignKeyRecords(resource, validatedApart(changes, content), storage),
  ];
  return {
    checks: contentChecks(records, content, where, storage),
    look: { query: { kind: 'find-unique', model, where, selection: selectFields(model, names), isRequired: false } },
    query: { kind: 'upsert', model, where, create, update: same || update, selection },
    records,
  };
}

/**
 * Whether an upsert that changes nothing may write again what it has matched by. Prisma leaves an upsert to the database only where its
 * `update` is not empty; otherwise it looks first and then creates, and of two at once one fails (Prisma Client API, "Database upserts").
 */
function isRewritable({ fields }: UniqueKey, { database: { provider, orm } }: Resource): boolean {
  // What matches in another letter case is not what is stored.
  return orm === 'prisma' && NATIVE_UPSERTS.has(provider) && fields.every(({ nativeType }) => nativeType?.[0] !== 'Citext');
}

/** Elsewhere it would be of no use, and some keys there cannot be written again (an identity column, MongoDB's `_id`). */
const NATIVE_UPSERTS: ReadonlySet<DatabaseProvider> = new Set(['postgresql', 'cockroachdb', 'sqlite']);

function planUpdate({ resource, id, content }: UpdateIntent, selection: Selection, storage: Storage): Steps {
  const record = writtenRecord(resource, content, 'replace', storage);
  const where = uniqueCondition(record.model, resource.identifier, id.values);
  const records = referredRecords(resource, content, storage);
  const checks = contentChecks(records, content, where, storage);
  return { checks, records, query: { kind: 'update', model: record.model, where, record, selection } };
}

function planDelete({ resource, id }: DeleteIntent, selection: Selection, storage: Storage): Steps {
  const model = storedModel(storage, resource.model);
  const where = uniqueCondition(model, resource.identifier, id.values);
  return { checks: [], records: [], query: { kind: 'delete', model, where, selection } };
}

/** What is not there needs no removing (RE-07), so that members to be removed are not looked for. */
function planLinkage({ kind: change, target: { resource, id }, linkage }: LinkageIntent, selection: Selection, storage: Storage): Steps {
  const record = writtenRecord(resource, { attributes: [], linkages: [linkage] }, change, storage);
  const where = uniqueCondition(record.model, resource.identifier, id.values);
  const records = change === 'remove' ? [] : linkedRecords([linkage], storage);
  const orphans = orphanChecks([linkage], { where: uniqueAsCondition(where), change, refusal: 'forbidden' }, storage);
  const checks = [...existenceChecks(records, storage), ...orphans];
  return { checks, records, query: { kind: 'update', model: record.model, where, record, selection } };
}

/** The checks of what is written into a record that may be there. */
function contentChecks(
  records: readonly ReferredRecord[],
  { linkages }: ResourceContent,
  where: UniqueCondition,
  storage: Storage,
): readonly DataCall[] {
  const owner = { where: uniqueAsCondition(where), change: 'replace', refusal: 'invalid-relation-data' } as const;
  return [...existenceChecks(records, storage), ...orphanChecks(linkages, owner, storage)];
}

/** What a validator of the host has made differ between the changes and the record to create. */
function validatedApart(changes: ResourceContent, { attributes }: ResourceContent): ResourceContent {
  const isSame = (left: AttributeValue, right: AttributeValue): boolean => left.attribute === right.attribute && left.value === right.value;
  return { ...changes, attributes: changes.attributes.filter((change) => !attributes.some((given) => isSame(change, given))) };
}
