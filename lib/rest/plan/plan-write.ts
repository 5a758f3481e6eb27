import { type DataCall, type TransactionPlan } from '../../data-client/plan.js';
import { uniqueWhere } from '../../model/resource-id.js';
import { type Resource, type UniqueKey } from '../../model/resource-model.js';
import { type DatabaseProvider } from '../../model/resource-schema.js';
import {
  type AttributeValue,
  type CreateIntent,
  type DeleteIntent,
  type LinkageIntent,
  type ResourceContent,
  type UpdateIntent,
  type UpsertIntent,
  type WriteIntent,
} from '../parse/write-intent.js';
import { upsertChanges } from '../parse/upsert-changes.js';
import { foreignKeyRecords } from './foreign-key-records.js';
import { existenceChecks, linkedRecords, orphanChecks, type Owner, type ReferredRecord, selectKey } from './linkage-checks.js';
import { type Select } from './plan-select.js';
import { relationData } from './relation-data.js';
import { writeData } from './write-data.js';

/**
 * Meaning becomes data client arguments: what a write asks for, all or nothing (WR-01), in one transaction where it takes more than one call.
 * The write is the last call and returns the row for the answer; the calls before it look at what it refers to.
 *
 * @param select what the answer shows of the written record; a delete answers nothing, and takes its key alone
 * @throws ApiError `invalid-relation-data` for members that contradict each other
 */
export function planWrite(intent: WriteIntent, select: Select): TransactionPlan {
  switch (intent.kind) {
    case 'create':
      return planCreate(intent, select);
    case 'upsert':
      return planUpsert(intent, select);
    case 'update':
      return planUpdate(intent, select);
    case 'delete':
      return planDelete(intent);
    case 'add':
    case 'remove':
    case 'replace':
      return planLinkage(intent, select);
  }
}

function planCreate({ resource, content }: CreateIntent, select: Select): TransactionPlan {
  const write = call(resource, 'create', { data: writeData(resource, content, 'attach'), select });
  return inOrder(existenceChecks(referredRecords(resource, content)), write);
}

function planUpsert(intent: UpsertIntent, select: Select): TransactionPlan {
  const { resource, match, content } = intent;
  const changes = intent.changes ?? upsertChanges(match, content);
  const isMatched = ({ attribute }: AttributeValue): boolean => match.fields.some(({ name }) => name === attribute.name);
  const values = Object.fromEntries(content.attributes.filter(isMatched).map(({ attribute, value }) => [attribute.name, value]));
  const update = writeData(resource, changes, 'replace');
  const write = call(resource, 'upsert', {
    where: uniqueWhere(match, values),
    create: writeData(resource, content, 'attach'),
    update: Object.keys(update).length === 0 && isRewritable(match, resource) ? values : update,
    select,
  });
  const records = [...referredRecords(resource, content), ...foreignKeyRecords(resource, validatedApart(changes, content))];
  return inOrder(contentChecks(records, content, values), write);
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

function planUpdate({ resource, id, content }: UpdateIntent, select: Select): TransactionPlan {
  const write = call(resource, 'update', {
    where: uniqueWhere(resource.identifier, id.values),
    data: writeData(resource, content, 'replace'),
    select,
  });
  return inOrder(contentChecks(referredRecords(resource, content), content, id.values), write);
}

function planDelete({ resource, id }: DeleteIntent): TransactionPlan {
  return inOrder(
    [],
    call(resource, 'delete', { where: uniqueWhere(resource.identifier, id.values), select: selectKey(resource.identifier) }),
  );
}

/** What is not there needs no removing (RE-07), so that members to be removed are not looked for. */
function planLinkage({ kind, target: { resource, id }, linkage }: LinkageIntent, select: Select): TransactionPlan {
  const existence = kind === 'remove' ? [] : existenceChecks(linkedRecords([linkage]));
  const orphans = orphanChecks([linkage], kind, { values: id.values, refusal: 'forbidden' });
  const data = kind === 'replace' ? writeData(resource, { attributes: [], linkages: [linkage] }, kind) : relationData(linkage, kind);
  return inOrder(
    [...existence, ...orphans],
    call(resource, 'update', { where: uniqueWhere(resource.identifier, id.values), data, select }),
  );
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
function referredRecords(resource: Resource, content: ResourceContent): ReferredRecord[] {
  return [...linkedRecords(content.linkages), ...foreignKeyRecords(resource, content)];
}

function inOrder(checks: readonly DataCall[], write: DataCall): TransactionPlan {
  return { kind: 'transaction', calls: [...checks, write] };
}

function call({ delegate }: Resource, operation: string, args: DataCall['args']): DataCall {
  return { delegate, operation, args };
}
