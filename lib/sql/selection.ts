import type { Condition } from '../query/condition.js';
import type { ManyMember, Member as Selected, OneMember as SelectedOne, RelatedCount, Selection } from '../query/selection.js';
import { match, type Table } from '../query/match.js';
import { sentOf } from './decode-value.js';
import { decline } from './declined.js';
import { countedBy, pageOf } from './order.js';
import { fromMany, type JoinedRow, pairsOf, type Scope } from './scope.js';
import { type Counted, type Member, type OneMember, type Rows, TRUE } from './tree.js';
import { where } from './where.js';

/**
 * Compiles a selection to the members of the rows of a scope.
 *
 * @param maxRows the maximum number of rows of each list. One more is selected, to detect that there are too many
 */
export function membersOf(scope: Scope, { members }: Selection, maxRows: number | undefined): readonly Member[] {
  return members.map((member) => match(MEMBERS, member, scope, maxRows));
}

const MEMBERS: Table<Selected, [Scope, number | undefined], Member> = {
  field: ({ field }, scope) => {
    // An extension may replace the value of the column, for example to mask it.
    if (scope.statement.isComputed(scope.model.model, field.name)) return decline(`${field.name}, which the data client computes`);
    return { kind: 'value', field, column: scope.column(field.name), sent: sentOf(field) };
  },
  computed: ({ name }) => decline(`${name}, which the data client computes`),
  one: oneOf,
  many: manyOf,
  counts: ({ counts }, scope) => ({ kind: 'counts', counts: counts.map((count) => countOf(scope, count)) }),
};

function oneOf(member: SelectedOne, owner: Scope, maxRows: number | undefined): OneMember {
  const { relation, target: model, selection } = member;
  if (relation.ignored) return decline(`${owner.model.model} has no relation ${relation.name}`);
  const readable = member.where.kind === 'always' ? undefined : member.where;
  const known = owner.joined(relation, readable);
  const { target, conditions } = known ?? rowOf(owner.inner(model), member.where);
  return {
    kind: 'one',
    name: relation.name,
    presence: target.presence,
    members: membersOf(target, selection, maxRows),
    // The owner already has the joins of a row that is joined without a condition.
    select: { from: target.table, joins: known && !readable ? [] : target.joins, where: conditions, order: [] },
    pairs: pairsOf(relation, target, owner),
    // If the related row has the foreign key, it belongs to one owner only.
    isSharedByOwners: relation.foreignKey !== undefined,
  };
}

function rowOf(target: Scope, condition: Condition): JoinedRow {
  const met = where(target, condition);
  return { target, conditions: met === TRUE ? [] : [met] };
}

/** Compiles the rows of a list, of all owners together. The statement selects at most one row more than the limit. */
function manyOf(member: ManyMember, owner: Scope, maxRows: number | undefined): Member {
  const { relation, target: model, page, order, selection } = member;
  if (relation.ignored) return decline(`${owner.model.model} has no relation ${relation.name}`);
  if (page.cursor !== undefined) return decline('the argument cursor');
  if (page.distinct !== undefined) return decline('the argument distinct');
  const target = owner.inner(model);
  const { from, joins, pairs } = fromMany(relation, target, owner);
  const condition = where(target, member.where);
  const { isReversed, fromCursor, ...paged } = pageOf(target, order, page);
  const members = membersOf(target, selection, maxRows);
  const conditions = condition === TRUE ? fromCursor : [condition, ...fromCursor];
  const select = { from, joins: [...joins, ...target.joins], where: conditions, ...paged };
  const rows: Rows = { select, members, isReversed, pairs, ...(maxRows !== undefined && { maxRows }) };
  return { kind: 'many', name: relation.name, rows };
}

function countOf(owner: Scope, { relation, target: model, where: condition }: RelatedCount): Counted {
  if (!relation.many) return decline('a count of one row');
  return { name: relation.name, counted: countedBy(owner, { relation, target: model, readable: condition }), isGrouped: false };
}
