import type { DataCall, TransactionPlan } from '../../data-client/plan.js';
import { uniqueWhere } from '../../model/values/resource-id.js';
import type { Resource, UniqueKey } from '../../model/surface/surface.js';
import type { Storage } from '../../model/storage/storage.js';
import type { DatabaseProvider } from '../../model/schema/resource-schema.js';
import type {
  AttributeValue,
  CreateIntent,
  DeleteIntent,
  LinkageIntent,
  ResourceContent,
  UpdateIntent,
  UpsertIntent,
  WriteIntent,
} from '../parse/write-intent.js';
import { upsertChanges } from '../parse/upsert-changes.js';
import type { Select } from '../projection/projection.js';
import { selectKey } from '../projection/select-projection.js';
import { existenceChecks, freeKeys, type ReferredRecord } from '../../references/existence-checks.js';
import { foreignKeyRecords } from './foreign-key-records.js';
import { linkedRecords, orphanChecks, type Owner } from './linkage-checks.js';
import { relationData } from './relation-data.js';
import { writeData } from './write-data.js';

/**
 * Meaning becomes data client arguments: what a write asks for, all or nothing (WR-01), in one transaction where it takes more than one call.
 * The write is the last call and returns the row for the answer; the calls before it look at what it refers to.
 *
 * @param select what the answer shows of the written record; a delete answers nothing, and takes its key alone
 * @throws ApiError `invalid-relation-data` for members that contradict each other
 */
export function planWrite(intent: WriteIntent, select: Select, storage: Storage): TransactionPlan {
  switch (intent.kind) {
    case 'create':
      return planCreate(intent, select, storage);
    case 'upsert':
      return planUpsert(intent, select, storage);
    case 'update':
      return planUpdate(intent, select, storage);
    case 'delete':
      return planDelete(intent);
    case 'add':
    case 'remove':
    case 'replace':
      return planLinkage(intent, select, storage);
  }
}

function planCreate({ resource, content }: CreateIntent, select: Select, storage: Storage): TransactionPlan {
  const records = referredRecords(resource, content, storage);
  const write = call(resource, 'create', { data: writeData({ resource, content, change: 'attach' }, storage), select });
  return inOrder(existenceChecks(records), spelled(write, records));
}

function planUpsert(intent: UpsertIntent, select: Select, storage: Storage): TransactionPlan {
  const { resource, match, content } = intent;
  const changes = intent.changes ?? upsertChanges(match, content);
  const isMatched = ({ attribute }: AttributeValue): boolean => match.fields.some(({ name }) => name === attribute.name);
  const values = Object.fromEntries(content.attributes.filter(isMatched).map(({ attribute, value }) => [attribute.name, value]));
  const update = writeData({ resource, content: changes, change: 'replace' }, storage);
  const where = uniqueWhere(match, values);
  const write = call(resource, 'upsert', {
    where,
    create: writeData({ resource, content, change: 'attach' }, storage),
    update: Object.keys(update).length === 0 && isRewritable(match, resource) ? values : update,
    select,
  });
  const records = [
    ...referredRecords(resource, content, storage),
    ...foreignKeyRecords(resource, validatedApart(changes, content), storage),
  ];
  const look = call(resource, 'findUnique', { where, select: selectKey(match) });
  return inOrder([...contentChecks(records, content, values), look], spelled(write, records));
}

/** Whether an upsert found a record to update: the data client does not say what it did, so the plan looks it up first. */
export function isUpdated({ kind }: WriteIntent, results: readonly unknown[]): boolean {
  return kind === 'upsert' && (results.at(-2) ?? null) !== null;
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

function planUpdate({ resource, id, content }: UpdateIntent, select: Select, storage: Storage): TransactionPlan {
  const write = call(resource, 'update', {
    where: uniqueWhere(resource.identifier, id.values),
    data: writeData({ resource, content, change: 'replace' }, storage),
    select,
  });
  const records = referredRecords(resource, content, storage);
  return inOrder(contentChecks(records, content, id.values), spelled(write, records));
}

function planDelete({ resource, id }: DeleteIntent): TransactionPlan {
  return inOrder(
    [],
    call(resource, 'delete', { where: uniqueWhere(resource.identifier, id.values), select: selectKey(resource.identifier) }),
  );
}

/** What is not there needs no removing (RE-07), so that members to be removed are not looked for. */
function planLinkage({ kind, target: { resource, id }, linkage }: LinkageIntent, select: Select, storage: Storage): TransactionPlan {
  const records = kind === 'remove' ? [] : linkedRecords([linkage], storage);
  const orphans = orphanChecks([linkage], kind, { values: id.values, refusal: 'forbidden' });
  const data =
    kind === 'replace'
      ? writeData({ resource, content: { attributes: [], linkages: [linkage] }, change: kind }, storage)
      : relationData(linkage, kind);
  const write = call(resource, 'update', { where: uniqueWhere(resource.identifier, id.values), data, select });
  return inOrder([...existenceChecks(records), ...orphans], spelled(write, records));
}

function contentChecks(records: readonly ReferredRecord[], { linkages }: ResourceContent, owner: Owner['values']): DataCall[] {
  return [...existenceChecks(records), ...orphanChecks(linkages, 'replace', { values: owner, refusal: 'invalid-relation-data' })];
}

/** What a validator of the host has made differ between the changes and the record to create. */
function validatedApart(changes: ResourceContent, { attributes }: ResourceContent): ResourceContent {
  const isSame = (left: AttributeValue, right: AttributeValue): boolean => left.attribute === right.attribute && left.value === right.value;
  return { ...changes, attributes: changes.attributes.filter((change) => !attributes.some((given) => isSame(change, given))) };
}

/** All that must be there for a resource to be written. */
function referredRecords(resource: Resource, content: ResourceContent, storage: Storage): ReferredRecord[] {
  return [...linkedRecords(content.linkages, storage), ...foreignKeyRecords(resource, content, storage)];
}

/** A write that takes the foreign keys of records from the checks before it, where these may find another spelling. */
function spelled(write: DataCall, records: readonly ReferredRecord[]): DataCall {
  const foreignKeys = freeKeys(records);
  return foreignKeys.length > 0 ? { ...write, foreignKeys } : write;
}

function inOrder(checks: readonly DataCall[], write: DataCall): TransactionPlan {
  return { kind: 'transaction', calls: [...checks, write] };
}

function call({ delegate }: Resource, operation: string, args: DataCall['args']): DataCall {
  return { delegate, operation, args };
}
