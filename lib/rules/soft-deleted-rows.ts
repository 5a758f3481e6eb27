import type { StoredModel } from '../model/storage/storage.js';
import { storedModel } from '../model/storage/stored-model.js';
import { and, type Condition, equals, NEVER, or } from '../query/condition.js';
import { fieldNamed, isAmong } from '../query/fields.js';
import type { Row } from '../query/result.js';
import { keyPlaceOf, type WrittenField } from '../query/write.js';
import { haveKeyOf, oppositeRelation } from './link-keys.js';
import { versionedFields } from './versioned-fields.js';
import { recordOf } from './records.js';
import type { RowWatch } from './write-observer.js';
import { allFields, findSome, isOneOf, rowCondition, keyChunks, linkFields, required, rowNamed, type Session } from './rows.js';
import type { SoftDelete } from './soft-deletes.js';

/**
 * Soft-deletes live rows of a model, by the time in their field, and the rows that the model cascades to. The cascade includes rows that the caller
 * may not read, as one of the database would. All rows of one delete have the same time.
 *
 * @returns the number of deleted rows of the model
 */
export function softDeleteRows(session: Session, model: StoredModel, where: Condition): Promise<number> {
  return setRows(session, { model, where, from: null, to: nextTime() });
}

/** Restores a soft-deleted row, and the rows that were deleted together with it. Hooks on updates are notified of each row. */
export function restoreRow(session: Session, model: StoredModel, row: Row, where: Condition): Promise<number> {
  const { field } = softOf(session, model);
  const from = row[field.name];
  const change = { model, where: and(rowCondition(model, row), equals(field, from), where), from, to: null };
  return setRows(session, change, session.observer?.watch(model, 'update'));
}

/** Compiles the condition of the live rows of a model with soft delete. */
export function isLive({ field }: SoftDelete): Condition {
  return equals(field, null);
}

/** A change of the soft delete field in rows of a model. */
interface Change {
  readonly model: StoredModel;
  readonly where: Condition;
  /** The current value of the field, in these rows and in those of the cascade. */
  readonly from: unknown;
  readonly to: unknown;
}

/**
 * Changes the field in rows and their cascade.
 *
 * @param watch the hooks that are notified of each row; of the rows of a delete itself, the caller notifies them
 */
async function setRows(session: Session, change: Change, watch?: RowWatch): Promise<number> {
  const { model, where } = change;
  const relations = softOf(session, model).cascade;
  if (relations.length === 0 && !watch) return setField(session, change);
  let count = 0;
  const selection = watch ? allFields(model) : linkFields(model);
  for (const rows of keyChunks(await findSome(session, { model, where, selection }))) {
    const set = await (watch ? setWatched(session, change, rows, watch) : setChunk(session, change, rows));
    count += set.length;
    for (const relation of relations) await cascade(session, change, set, relation);
  }
  return count;
}

/**
 * Changes the field in a chunk of rows.
 *
 * @returns the changed rows, without those that another transaction has changed in the meantime
 */
async function setChunk(session: Session, change: Change, rows: readonly Row[]): Promise<readonly Row[]> {
  const { model, where, to } = change;
  const named = isOneOf(model, rows);
  const count = await setField(session, { ...change, where: and(where, named) });
  if (count === rows.length) return rows;
  return findSome(session, { model, where: and(named, equals(softOf(session, model).field, to)), selection: linkFields(model) });
}

/** Changes the field row by row, and notifies the hooks before and after each write. */
async function setWatched(session: Session, change: Change, rows: readonly Row[], watch: RowWatch): Promise<readonly Row[]> {
  const { executor } = session;
  const { model, to } = change;
  const isRestored = to === null;
  const set: Row[] = [];
  for (const before of rows) {
    const given = await watch.before(executor, { record: recordOf(model, isRestored ? markOf(session, model, to) : []), before });
    const where = and(change.where, rowCondition(model, before));
    const record = recordOf(model, isRestored ? given.fields : markOf(session, model, to));
    if ((await executor.run({ kind: 'update-many', model, where, record })).count === 0) continue;
    const named = { kind: 'find-unique', model, where: rowNamed(model, before), selection: allFields(model), isRequired: true } as const;
    await watch.after(executor, isRestored ? { before, after: required(await executor.run(named)) } : { before });
    set.push(before);
  }
  return set;
}

type Relation = SoftDelete['cascade'][number];

async function cascade(session: Session, { model, from, to }: Change, rows: readonly Row[], relation: Relation): Promise<void> {
  const target = storedModel(session.rules.storage, relation.target);
  const soft = session.rules.softDelete(target);
  const related = rows.length === 0 ? NEVER : relatedTo(model, rows, relation, target);
  if (!soft || related.kind === 'never') return;
  const watch = session.observer?.watch(target, to === null ? 'update' : 'delete');
  await setRows(session, { model: target, where: and(related, equals(soft.field, from)), from, to }, watch);
}

/** Compiles the condition of the target rows that are linked to some rows by a relation. */
function relatedTo(model: StoredModel, rows: readonly Row[], relation: Relation, target: StoredModel): Condition {
  const place = keyPlaceOf(relation);
  if (place.kind === 'join-table')
    return Object.freeze({
      kind: 'some',
      relation: oppositeRelation(model, relation, target),
      target: model,
      condition: isOneOf(model, rows),
    });
  const { fields, references } = place.key;
  const key = place.kind === 'own' ? { fields: references, references: fields } : place.key;
  const [name, ...others] = key.references;
  const [column] = key.fields;
  // Null references nothing.
  if (name === undefined || column === undefined || others.length > 0) return or(...rows.map((row) => haveKeyOf(target, key, row)));
  const values = rows.flatMap((row) => ((row[name] ?? null) === null ? [] : [{ [column]: row[name] }]));
  return values.length === 0 ? NEVER : isAmong(target, [column], values);
}

async function setField(session: Session, { model, where, to }: Change): Promise<number> {
  const record = recordOf(model, markOf(session, model, to));
  return (await session.executor.run({ kind: 'update-many', model, where, record })).count;
}

/** Returns the fields that are written into a row when it is deleted or restored. */
function markOf(session: Session, model: StoredModel, value: unknown): readonly WrittenField[] {
  const field = fieldNamed(model, softOf(session, model).field.name);
  return versionedFields(session.rules, model, [{ field, operation: 'set', value, isSettled: true }]);
}

function softOf({ rules }: Session, model: StoredModel): SoftDelete {
  const soft = rules.softDelete(model);
  if (!soft) throw new TypeError(`${model.model} has no softDelete.`);
  return soft;
}

let last = 0;

/** Returns the time of a delete. Within this process no two deletes have the same time, because it identifies the rows that were deleted together. */
function nextTime(): Date {
  last = Math.max(Date.now(), last + 1);
  return new Date(last);
}
