import { type DataCall, type TransactionPlan } from '../../data-client/plan.js';
import { uniqueWhere } from '../../model/resource-id.js';
import { type Resource } from '../../model/resource-model.js';
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
import { existenceChecks, orphanChecks, selectKey } from './linkage-checks.js';
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
  return inOrder(existenceChecks(content.linkages), write);
}

function planUpsert({ resource, match, content, changes }: UpsertIntent, select: Select): TransactionPlan {
  const isMatched = ({ attribute }: AttributeValue): boolean => match.fields.some(({ name }) => name === attribute.name);
  const values = Object.fromEntries(content.attributes.filter(isMatched).map(({ attribute, value }) => [attribute.name, value]));
  const write = call(resource, 'upsert', {
    where: uniqueWhere(match, values),
    create: writeData(resource, content, 'attach'),
    update: writeData(resource, changes ?? upsertChanges(match, content), 'replace'),
    select,
  });
  return inOrder(contentChecks(content, values), write);
}

function planUpdate({ resource, id, content }: UpdateIntent, select: Select): TransactionPlan {
  const write = call(resource, 'update', {
    where: uniqueWhere(resource.identifier, id.values),
    data: writeData(resource, content, 'replace'),
    select,
  });
  return inOrder(contentChecks(content, id.values), write);
}

function planDelete({ resource, id }: DeleteIntent): TransactionPlan {
  return inOrder(
    [],
    call(resource, 'delete', { where: uniqueWhere(resource.identifier, id.values), select: selectKey(resource.identifier) }),
  );
}

/** What is not there needs no removing (RE-07), so that members to be removed are not looked for. */
function planLinkage({ kind, target: { resource, id }, linkage }: LinkageIntent, select: Select): TransactionPlan {
  const existence = kind === 'remove' ? [] : existenceChecks([linkage]);
  const orphans = orphanChecks([linkage], kind, { values: id.values, refusal: 'forbidden' });
  const data = kind === 'replace' ? writeData(resource, { attributes: [], linkages: [linkage] }, kind) : relationData(linkage, kind);
  return inOrder(
    [...existence, ...orphans],
    call(resource, 'update', { where: uniqueWhere(resource.identifier, id.values), data, select }),
  );
}

function contentChecks({ linkages }: ResourceContent, owner: Readonly<Record<string, unknown>>): DataCall[] {
  return [...existenceChecks(linkages), ...orphanChecks(linkages, 'replace', { values: owner, refusal: 'invalid-relation-data' })];
}

function inOrder(checks: readonly DataCall[], write: DataCall): TransactionPlan {
  return { kind: 'transaction', calls: [...checks, write] };
}

function call({ delegate }: Resource, operation: string, args: DataCall['args']): DataCall {
  return { delegate, operation, args };
}
