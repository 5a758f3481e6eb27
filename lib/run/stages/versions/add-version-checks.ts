import type { DataCall, Plan } from '../../../executor/plan.js';
import { returnsRows } from '../../../model/storage/returns-rows.js';
import type { Storage } from '../../../model/storage/storage.js';
import { and, type Condition, type UniqueCondition, uniqueAsCondition } from '../../../query/condition.js';
import { fieldNamed } from '../../../query/fields.js';
import { mapRecords } from '../../../query/map-records.js';
import type { Query } from '../../../query/query.js';
import type { Delete, Update, UpdateMany, WrittenRecord } from '../../../query/write.js';
import { relinkedRows } from './relinked-rows.js';

/**
 * Adds version increments to a plan: to every record that it updates, at any depth, and to every row that it relinks. A relinked row is one whose
 * foreign key changes through the other side of a relation. The version that a write requires becomes a condition of its statement (CC-17 to CC-19).
 */
export function addVersionChecks<P extends Plan>(plan: P, storage: Storage): P;
export function addVersionChecks(plan: Plan, storage: Storage): Plan {
  switch (plan.kind) {
    case 'collection':
      return plan;
    case 'call': {
      const call = versioned(plan.call, storage);
      return call === plan.call ? plan : { ...plan, call };
    }
    case 'transaction': {
      const calls = plan.calls.map((call) => versioned(call, storage));
      return calls.every((call, index) => call === plan.calls[index]) ? plan : { ...plan, calls };
    }
  }
}

/**
 * Adds the required versions of writes to their conditions. For an executor that decomposes writes, increments versions itself, and enforces every
 * condition until it writes the row.
 */
export function withRequirements<P extends Plan>(plan: P): P;
export function withRequirements(plan: Plan): Plan {
  switch (plan.kind) {
    case 'collection':
      return plan;
    case 'call':
      return plan.call.requires ? { ...plan, call: required(plan.call, plan.call.requires) } : plan;
    case 'transaction': {
      const calls = plan.calls.map((call) => (call.requires ? required(call, call.requires) : call));
      return calls.some((call, index) => call !== plan.calls[index]) ? { ...plan, calls } : plan;
    }
  }
}

function required(call: DataCall, requires: Condition): DataCall {
  const query = updating(call.query);
  if (!isRow(query)) return call;
  const where = Object.freeze({ ...query.where, more: and(query.where.more, requires) });
  // An update without values increments the version, too, if it requires one.
  const isEmpty = query.kind === 'update' && query.record.fields.length === 0;
  return { ...call, query: isEmpty ? { ...query, where, record: incremented(query.record) } : { ...query, where } };
}

function versioned(call: DataCall, storage: Storage): DataCall {
  const { query, requires } = call;
  if (!storage.isVersioned && requires === undefined) return call;
  const { written, claim } = requires ? conditional(query, requires, storage) : { written: withIncrements(query) };
  const before = [...(call.before ?? []), ...(claim ? [claim] : []), ...relinkedRows(query).map(incrementVersion)];
  return { ...call, query: written, ...(before.length > 0 && { before }) };
}

/** Compiles a write that changes the row only if the required condition holds. An upsert then only updates (CC-23). */
function conditional(write: Query, requires: Condition, storage: Storage): { readonly written: Query; readonly claim?: DataCall } {
  const query = updating(write);
  if (!isRow(query)) return { written: withIncrements(query) };
  if (needsClaim(query, requires, storage)) return { written: withIncrements(query, 'claimed'), claim: lockingWrite(query, requires) };
  const where = Object.freeze({ ...query.where, more: and(query.where.more, requires) });
  return { written: withIncrements({ ...query, where }, 'required') };
}

/** Converts an upsert into an update, because an upsert that requires a version must not create a row. */
function updating(query: Query): Query {
  if (query.kind !== 'upsert') return query;
  const { model, where, update: record, selection, loadStrategy } = query;
  return { kind: 'update', model, where, record, selection, ...(loadStrategy && { loadStrategy }) };
}

function isRow(query: Query): query is Update | Delete {
  return query.kind === 'update' || query.kind === 'delete';
}

/**
 * Whether a separate statement must lock the row before the write. In three cases, Prisma looks the row up and then writes by its key alone. These
 * are nested writes, results that Prisma must read first, and databases without `RETURNING`.
 */
function needsClaim(query: Update | Delete, requires: Condition, storage: Storage): boolean {
  const isOfRow = requires.kind !== 'always' && requires.kind !== 'never';
  if (!query.model.version && !isOfRow) return false;
  if (!returnsRows(storage)) return true;
  if (query.kind === 'update' && query.record.relations.length > 0) return true;
  return query.kind === 'delete' && query.selection.members.some(({ kind }) => kind !== 'field');
}

/** Compiles a statement that writes the row only if the required condition holds. The write locks the row until the end of the transaction. */
function lockingWrite({ model, where }: Update | Delete, requires: Condition): DataCall {
  const detail = 'The resource has changed since its ETag was given.';
  const problem = { code: 'precondition-failed', detail } as const;
  const rows = { model, where: and(uniqueAsCondition(where), requires) };
  return { ...(model.version ? incrementVersion(rows) : rewriteKeyField(rows, where)), expect: { kind: 'affects', least: 1, problem } };
}

function incrementVersion({ model, where }: Pick<UpdateMany, 'model' | 'where'>): DataCall {
  const empty: WrittenRecord = { kind: 'record', model, action: 'update', fields: [], relations: [], at: [] };
  return { query: Object.freeze({ kind: 'update-many', model, where, record: incremented(empty) }) };
}

/** Compiles a statement that locks a row without a version: it sets a part of the key to the same value. */
function rewriteKeyField({ model, where }: Pick<UpdateMany, 'model' | 'where'>, { keys: [{ key, values }] }: UniqueCondition): DataCall {
  const fields = key.fields.slice(0, 1).map((name) => {
    return { field: fieldNamed(model, name), operation: 'set' as const, value: values[0], isSettled: true as const };
  });
  const record: WrittenRecord = { kind: 'record', model, action: 'update', fields, relations: [], at: [] };
  return { query: Object.freeze({ kind: 'update-many', model, where, record }) };
}

/**
 * Adds version increments to the records that a query updates.
 *
 * @param root `claimed`: an earlier statement increments the root row; `required`: the root row is incremented even if nothing else is written
 */
function withIncrements(query: Query, root?: 'claimed' | 'required'): Query {
  return mapRecords(query, ({ record, through }) => {
    if (record.action !== 'update' || !record.model.version) return record;
    const isRoot = through === undefined;
    if (isRoot && root === 'claimed') return record;
    const isWritten = record.fields.length > 0 || record.relations.length > 0 || (isRoot && root === 'required');
    return isWritten ? incremented(record) : record;
  });
}

function incremented(record: WrittenRecord): WrittenRecord {
  const { version } = record.model;
  if (!version) return record;
  const value = version.type === 'BigInt' ? 1n : 1;
  return Object.freeze({
    ...record,
    fields: Object.freeze([...record.fields, { field: version, operation: 'increment' as const, value }]),
  });
}
