import type { StoredModel, StoredRelation } from '../../../model/storage/storage.js';
import { ALWAYS, and, type Condition, equals, not, or, type UniqueCondition } from '../../../query/condition.js';
import { fieldNamed } from '../../../query/fields.js';
import { recordsOf } from '../../../query/map-records.js';
import type { Query } from '../../../query/query.js';
import {
  isUnique,
  type LinkedRow,
  takesAway,
  type UpdateMany,
  type Verb,
  type WrittenRecord,
  type WrittenRelation,
} from '../../../query/write.js';

type Rows = Pick<UpdateMany, 'model' | 'where'>;

/**
 * Returns the rows with a version whose foreign key a write changes through another row, at any depth (CC-19). The records of {@link mayRelink} are left
 * out.
 */
export function relinkedRows(query: Query): readonly Rows[] {
  if (query.kind === 'create') return ofRecord(query.record, undefined);
  if (query.kind === 'update') return ofRecord(query.record, isNamed(query.where));
  return query.kind === 'upsert' ? ofRecord(query.update, isNamed(query.where)) : [];
}

/**
 * Whether a write changes such rows only if it creates a record: the one of an upsert or of a `connectOrCreate`. No condition of Prisma restricts the
 * increment of their versions to that case, so that the write must be decomposed.
 */
export function mayRelink(query: Query): boolean {
  const nested = recordsOf(query).flatMap(({ record }) => record.relations.flatMap(({ verbs }) => verbs.flatMap(createdInstead)));
  return [...(query.kind === 'upsert' ? [query.create] : []), ...nested].some((record) => ofRecord(record, undefined).length > 0);
}

/** Returns the record that a verb creates if it finds no row. */
function createdInstead(verb: Verb): readonly WrittenRecord[] {
  if (verb.kind === 'connect-or-create') return [verb.record];
  return verb.kind === 'upsert-related' ? [verb.create] : [];
}

/**
 * Returns the rows that the relations of one record change.
 *
 * @param owner condition of the rows that the record is written into; undefined for a new row
 */
function ofRecord({ model, relations }: WrittenRecord, owner: Condition | undefined): readonly Rows[] {
  return relations.flatMap((written) => {
    const linked = owner && linkedTo(written, model, owner);
    return written.verbs.flatMap((verb) => [
      ...ofVerb(written, verb, linked),
      ...previousHolder(written, verb, model, owner),
      ...within(verb, linked),
    ]);
  });
}

/** Compiles the condition that a row is the one of a key. It is never null, so that its negation matches rows whose key is null. */
function isNamed({ keys, more }: UniqueCondition): Condition {
  const filled = keys.flatMap(({ key, model }) =>
    key.fields.flatMap((name) => {
      const field = fieldNamed(model, name);
      return field.optional ? not(equals(field, null)) : [];
    }),
  );
  return and(...keys, ...filled, more);
}

/** Conditions on the rows of a relation that are, and are not, linked to an owner. Undefined if the client does not expose the opposite relation. */
interface Linked {
  readonly are: Condition;
  readonly areNot: Condition;
}

function linkedTo({ relation, target }: WrittenRelation, model: StoredModel, condition: Condition): Linked | undefined {
  const opposite: StoredRelation | undefined = target.relations.get(relation.opposite ?? '');
  if (!opposite || opposite.ignored) return undefined;
  const base = { relation: opposite, target: model, condition };
  if (opposite.many) return { are: Object.freeze({ kind: 'some', ...base }), areNot: Object.freeze({ kind: 'none', ...base }) };
  return { are: Object.freeze({ kind: 'is', ...base }), areNot: Object.freeze({ kind: 'isNot', ...base }) };
}

function ofVerb({ relation, target }: WrittenRelation, verb: Verb, linked: Linked | undefined): readonly Rows[] {
  if (!target.version || !relation.referredBy) return [];
  const where = changedBy(verb, linked);
  // The row that a to-one relation referenced before loses its link.
  const replaced = relation.many || !linked || !REPLACING.has(verb.kind) ? [] : [{ model: target, where: linked.are }];
  return where ? [{ model: target, where }, ...replaced] : replaced;
}

/** Returns the other row that references the row which a record will reference, and loses this link. */
function previousHolder(written: WrittenRelation, verb: Verb, model: StoredModel, owner: Condition | undefined): readonly Rows[] {
  if (!model.version || !takesAway(written, verb)) return [];
  const { relation, target } = written;
  const holds = Object.freeze<Condition>({ kind: 'is', relation, target, condition: isNamed(verb.row) });
  return [{ model, where: owner ? and(holds, not(owner)) : holds }];
}

const REPLACING: ReadonlySet<Verb['kind']> = new Set(['connect', 'connect-or-create', 'create-related']);

function changedBy(verb: Verb, linked: Linked | undefined): Condition | undefined {
  if (verb.kind === 'connect' || verb.kind === 'connect-or-create') return and(isNamed(verb.row), linked?.areNot ?? ALWAYS);
  if (verb.kind === 'disconnect') return linked && and(conditionOf(verb.row), linked.are);
  if (verb.kind !== 'set') return undefined;
  const rows = or(...verb.rows.map(isNamed));
  return linked ? or(and(rows, linked.areNot), and(not(rows), linked.are)) : rows;
}

function conditionOf(row: LinkedRow): Condition {
  return isUnique(row) ? isNamed(row) : row;
}

function within(verb: Verb, linked: Linked | undefined): readonly Rows[] {
  if (verb.kind === 'create-related') return ofRecord(verb.record, undefined);
  if (verb.kind !== 'update-related' && verb.kind !== 'upsert-related') return [];
  return ofRecord(verb.kind === 'update-related' ? verb.record : verb.update, linked && and(conditionOf(verb.row), linked.are));
}
