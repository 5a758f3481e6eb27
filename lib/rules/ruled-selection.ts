import { selectKeys } from '../executor/loading/select-keys.js';
import type { StoredForeignKey, StoredModel } from '../model/storage/storage.js';
import type { Condition } from '../query/condition.js';
import { selectionOf } from '../query/fields.js';
import { match, type Table } from '../query/match.js';
import type { Row } from '../query/result.js';
import type { CountsMember, ManyMember, Member, OneMember, Selection } from '../query/selection.js';
import { readableRows } from './ruled-condition.js';
import { ruledOrder, ruledPage } from './ruled-order.js';
import type { RuleSet } from './rule-set.js';

/** A selection under the rules, and the relations that are loaded by separate queries. */
interface RuledSelection {
  readonly selection: Selection;
  readonly separate: readonly SeparateRelation[];
}

/**
 * A required to-one relation, which is loaded by a separate query under its rule, because Prisma takes no `where` for it. The rows that have the
 * relation are loaded with its foreign key.
 */
export interface SeparateRelation {
  /** Relations from a row of the result to the rows that have the relation. */
  readonly path: readonly string[];
  readonly name: string;
  readonly target: StoredModel;
  readonly key: StoredForeignKey;
  readonly selection: Selection;
  /** Whether no row of the target may be read. */
  readonly isClosed: boolean;
  /** Removes members that were not selected from a row that has the relation. */
  readonly withoutKey: (row: Row) => Row;
}

/** Rewrites a selection as if rows that may not be read did not exist. */
export function ruledSelection(rules: RuleSet, selection: Selection): RuledSelection {
  const ruled = selection.members.map((member) => match(MEMBERS, member, rules));
  const separate = ruled.flatMap((one) => one.separate ?? []);
  const members = ruled.flatMap(({ member }) => member ?? []);
  const isSame = members.length === selection.members.length && members.every((member, index) => member === selection.members[index]);
  if (isSame && separate.length === 0) return { selection, separate };
  const isOwn = ({ path }: SeparateRelation): boolean => path.length === 0;
  const keys = separate.filter(isOwn).flatMap(({ key }) => key.fields);
  const keyed = selectKeys(isSame ? selection : selectionOf(selection.model, members), keys);
  return {
    selection: keyed.selection,
    separate: separate.map((one) => (isOwn(one) ? { ...one, withoutKey: keyed.withoutKey } : one)),
  };
}

interface RuledMember {
  /** Absent if it is loaded by a separate query. */
  readonly member?: Member;
  readonly separate?: readonly SeparateRelation[];
}

const same = (member: Member): RuledMember => ({ member });

const MEMBERS: Table<Member, [RuleSet], RuledMember> = {
  field: same,
  computed: same,
  one: ruledOne,
  many: ruledMany,
  counts: ruledCounts,
};

function ruledOne(member: OneMember, rules: RuleSet): RuledMember {
  const { relation, target, selection } = member;
  if (rules.isForSql || relation.optional || rules.isOpen(target)) return ruledRelation(member, rules);
  const { name, foreignKey: key } = relation;
  if (!key) throw new TypeError(`The required relation '${name}' has no key of its own.`);
  const isClosed = rules.of(target, 'read').kind === 'never';
  return { separate: [{ path: [], name, target, key, selection, isClosed, withoutKey: (row) => row }] };
}

function ruledMany(member: ManyMember, rules: RuleSet): RuledMember {
  const { target, order, page } = member;
  const ruled = { order: ruledOrder(rules, target, order), page: ruledPage(rules, target, page) };
  const isSame = ruled.page === page && ruled.order.every((term, index) => term === order[index]);
  return ruledRelation(isSame ? member : { ...member, ...ruled }, rules);
}

function ruledRelation(member: OneMember | ManyMember, rules: RuleSet): RuledMember {
  const { relation, target } = member;
  const where = readableRows(rules, target, member.where);
  const { selection, separate } = ruledSelection(rules, member.selection);
  const isSame = isEqual(where, member.where) && selection === member.selection;
  return {
    member: isSame ? member : Object.freeze({ ...member, where, selection }),
    separate: separate.map((one) => ({ ...one, path: [relation.name, ...one.path] })),
  };
}

/** Restricts counts to the related rows that may be read. */
function ruledCounts(member: CountsMember, rules: RuleSet): RuledMember {
  const counts = member.counts.map((count) => {
    const where = readableRows(rules, count.target, count.where);
    return isEqual(where, count.where) ? count : { ...count, where };
  });
  const isSame = counts.every((count, index) => count === member.counts[index]);
  return { member: isSame ? member : Object.freeze({ ...member, counts }) };
}

/** Whether the rules have added no condition. */
function isEqual(ruled: Condition, given: Condition): boolean {
  return ruled === given || (ruled.kind === 'always' && given.kind === 'always');
}
