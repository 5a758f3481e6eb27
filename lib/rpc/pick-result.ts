import { match, type Table } from '../query/match.js';
import type { Query } from '../query/query.js';
import type { AggregateMember, CountedValues } from '../query/read.js';
import { type Member, nameOf, type Selection } from '../query/selection.js';
import { memoizeByObject } from '../utils/memoize-by-object.js';

/** The members that a result may have, by name. A member is null if its value is returned as it is, otherwise it lists the members of its objects. */
export interface Named extends Pick<ReadonlyMap<string, unknown>, 'size'> {
  readonly get: (name: string) => Named | null | undefined;
}

/**
 * Removes from a result all members that its query does not name, such as computed fields of a client extension. A result without such members is
 * returned itself, not as a copy.
 */
export function pickResult(query: Query, result: unknown): unknown {
  return pick(result, namedBy(query));
}

/** Returns the members that a query names. */
export function namedBy(query: Query): Named | null {
  return match(NAMED, query);
}

const bySelection = ({ selection }: { readonly selection: Selection }): Named => namedBySelection(selection);
const AFFECTED: Named = new Map([['count', null]]);
const maybeBySelection = ({ selection }: { readonly selection?: Selection }): Named => (selection ? namedBySelection(selection) : AFFECTED);

const NAMED: Table<Query, [], Named | null> = {
  'find-unique': bySelection,
  'find': bySelection,
  'count': ({ counted }) => (counted ? byFields(counted) : null),
  'aggregate': ({ aggregates }) => new Map(aggregates.map(byAggregate)),
  'group-by': ({ by, aggregates }) => new Map([...byFields(by), ...aggregates.map(byAggregate)]),
  'create': bySelection,
  'create-many': maybeBySelection,
  'update': bySelection,
  'update-many': maybeBySelection,
  'upsert': bySelection,
  'delete': bySelection,
  'delete-many': () => AFFECTED,
};

/** Returns the members that a selection names. */
const namedBySelection: (selection: Selection) => Named = memoizeByObject(
  ({ members }) => new Map(members.map((member) => [nameOf(member), namedByMember(member)])),
);

function namedByMember(member: Member): Named | null {
  switch (member.kind) {
    case 'field':
    case 'computed':
      return null;
    case 'one':
    case 'many':
      return namedBySelection(member.selection);
    case 'counts':
      return new Map(member.counts.map(({ relation }) => [relation.name, null]));
  }
}

function byFields(fields: readonly CountedValues[]): ReadonlyMap<string, null> {
  return new Map(fields.map((field) => [field === '_all' ? field : field.name, null]));
}

function byAggregate({ aggregate, of }: AggregateMember): readonly [string, Named | null] {
  return [aggregate, of === 'rows' ? null : byFields(of)];
}

/** Returns the named members of an object, or of each object in a list. A value that is not an object is returned unchanged. */
export function pick(value: unknown, named: Named | null): unknown {
  if (named === null || typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return pickMembers(value, named);
  const items: readonly unknown[] = value;
  const picked = items.map((item) => pick(item, named));
  return picked.every((item, index) => item === items[index]) ? value : picked;
}

function pickMembers(value: object, named: Named): object {
  const entries = Object.entries(value);
  const index = entries.findIndex(([name, member]) => pickMember(named, name, member) !== member);
  if (index < 0) return value;
  const others = entries.slice(index).flatMap(([name, member]) => {
    const picked = pickMember(named, name, member);
    return picked === LEFT_OUT ? [] : [[name, picked] as const];
  });
  return Object.fromEntries([...entries.slice(0, index), ...others]);
}

const LEFT_OUT = Symbol('left out');

function pickMember(named: Named, name: string, member: unknown): unknown {
  const selected = named.get(name);
  return selected === undefined ? LEFT_OUT : pick(member, selected);
}
