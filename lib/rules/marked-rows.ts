import type { StoredModel } from '../model/storage/storage.js';
import { storedModel } from '../model/storage/stored-model.js';
import { and, type Condition, equals, NEVER, or } from '../query/condition.js';
import { fieldNamed, isAmong } from '../query/fields.js';
import type { Affected, Row } from '../query/result.js';
import type { UpdateMany, WrittenField } from '../query/write.js';
import { keyPlaceOf } from './key-place.js';
import { haveKeyOf } from './link-columns.js';
import { recordOf } from './records.js';
import type { RowWatch } from './row-hooks.js';
import { allFields, findSome, isOneOf, isRow, keyChunks, linkFields, required, rowNamed, type Session } from './rows.js';
import type { SoftDelete } from './soft-deletes.js';

/** Rows of a model with soft delete. */
interface Marked {
  readonly model: StoredModel;
  readonly soft: SoftDelete;
}

/**
 * Deletes rows, which are there, by the time in their field, and what their model cascades to: whatever refers to them, as a
 * foreign key of the database would, whoever may read it. All rows of one delete have one time.
 *
 * @returns how many rows of the model were deleted
 */
export function markRows(session: Session, marked: Marked, where: Condition, at = nextTime()): Promise<number> {
  return setRows(session, marked, { where, from: null, to: at });
}

/** Restores the row that was deleted at a time, and what was deleted together with it. Whoever hears of updates is told of each row. */
export function restoreRow(
  session: Session,
  marked: Marked,
  { row, where }: { readonly row: Row; readonly where: Condition },
): Promise<number> {
  const from = row[marked.soft.field.name];
  const change = { where: and(isRow(marked.model, row), equals(marked.soft.field, from), where), from, to: null };
  return setRows(session, marked, change, session.told?.watch(marked.model, 'update'));
}

/** Which rows are there: their models keep what is deleted. */
export function isPresent({ field }: SoftDelete): Condition {
  return equals(field, null);
}

interface Change {
  readonly where: Condition;
  /** What the field is of these rows, and of those that go with them. */
  readonly from: unknown;
  readonly to: unknown;
}

/** @param watch who is told of each row here; that of a delete is told of its own rows by who deletes them */
async function setRows(session: Session, { model, soft }: Marked, change: Change, watch?: RowWatch): Promise<number> {
  const { where } = change;
  if (soft.cascade.length === 0 && !watch) return setField(session, { model, soft }, change);
  let count = 0;
  const selection = watch ? allFields(model) : linkFields(model);
  for (const rows of keyChunks(await findSome(session, { model, where, selection }))) {
    const set = watch
      ? await setWatched(session, { model, soft, watch }, { change, rows })
      : await setChunk(session, { model, soft }, { change, rows });
    count += set.length;
    for (const relation of soft.cascade) await cascade(session, { model, rows: set, relation }, change);
  }
  return count;
}

interface Chunk {
  readonly change: Change;
  readonly rows: readonly Row[];
}

/** @returns the rows that were changed: somebody else may have changed one of them meanwhile, and what goes with it */
async function setChunk(session: Session, { model, soft }: Marked, { change, rows }: Chunk): Promise<readonly Row[]> {
  const named = isOneOf(model, rows);
  const { where, to } = change;
  const count = await setField(session, { model, soft }, { ...change, where: and(where, named) });
  return count === rows.length
    ? rows
    : findSome(session, { model, where: and(named, equals(soft.field, to)), selection: linkFields(model) });
}

/** Tells of each row, before and after. */
async function setWatched(
  session: Session,
  { model, soft, watch }: Marked & { readonly watch: RowWatch },
  { change, rows }: Chunk,
): Promise<readonly Row[]> {
  const { host } = session;
  const isRestored = change.to === null;
  const set: Row[] = [];
  for (const before of rows) {
    const record = recordOf(model, isRestored ? markOf(session, { model, soft }, change.to) : []);
    const given = await watch.before(host, { record, before });
    const where = and(change.where, isRow(model, before));
    const fields = isRestored ? given.fields : markOf(session, { model, soft }, change.to);
    const query: UpdateMany = { kind: 'update-many', model, where, record: recordOf(model, fields) };
    if (((await host.run(query)) as Affected).count === 0) continue;
    const named = { kind: 'find-unique', model, where: rowNamed(model, before), selection: allFields(model), isRequired: true } as const;
    await watch.after(host, isRestored ? { before, after: required(await host.run(named)) } : { before });
    set.push(before);
  }
  return set;
}

interface Cascade {
  readonly model: StoredModel;
  readonly rows: readonly Row[];
  readonly relation: SoftDelete['cascade'][number];
}

async function cascade(session: Session, { model, rows, relation }: Cascade, { from, to }: Change): Promise<void> {
  const target = storedModel(session.rules.storage, relation.target);
  const soft = session.rules.softDelete(target);
  const related = rows.length === 0 ? NEVER : relatedTo({ model, rows, relation }, target);
  if (!soft || related.kind === 'never') return;
  const watch = session.told?.watch(target, to === null ? 'update' : 'delete');
  await setRows(session, { model: target, soft }, { where: and(related, equals(soft.field, from)), from, to }, watch);
}

/** The rows that a relation of some rows leads to. */
function relatedTo({ model, rows, relation }: Cascade, target: StoredModel): Condition {
  const place = keyPlaceOf(relation);
  if (place.kind === 'join-table') {
    const back = target.relations.get(relation.opposite ?? '');
    if (!back) throw new TypeError(`The relation '${model.model}.${relation.name}' has no way back.`);
    return Object.freeze({ kind: 'some', relation: back, target: model, condition: isOneOf(model, rows) });
  }
  const { fields, references } = place.key;
  const key = place.kind === 'own' ? { fields: references, references: fields } : place.key;
  const [name, ...others] = key.references;
  const [column] = key.fields;
  // A null refers to nothing.
  if (name === undefined || column === undefined || others.length > 0) return or(...rows.map((row) => haveKeyOf(target, key, row)));
  const values = rows.flatMap((row) => ((row[name] ?? null) === null ? [] : [{ [column]: row[name] }]));
  return values.length === 0 ? NEVER : isAmong(target, [column], values);
}

async function setField(session: Session, marked: Marked, { where, to }: Change): Promise<number> {
  const { model } = marked;
  const query: UpdateMany = { kind: 'update-many', model, where, record: recordOf(model, markOf(session, marked, to)) };
  return ((await session.host.run(query)) as Affected).count;
}

/** What is written into a row that is deleted, or restored. */
function markOf({ rules }: Session, { model, soft }: Marked, value: unknown): readonly WrittenField[] {
  const { version } = storedModel(rules.storage, model.model);
  return [
    { field: fieldNamed(model, soft.field.name), operation: 'set', value, isSettled: true },
    ...(version ? [{ field: version, operation: 'increment', value: version.type === 'BigInt' ? 1n : 1, isSettled: true } as const] : []),
  ];
}

let last = 0;

/** Of this process no two deletes have the same time, by which what was deleted together is known. */
function nextTime(): Date {
  last = Math.max(Date.now(), last + 1);
  return new Date(last);
}
