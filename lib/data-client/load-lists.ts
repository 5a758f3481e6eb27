import { ApiError } from '../errors/api-error.js';
import { callClient } from './call-client.js';
import { both, textOf, whereAmong } from './count-list.js';
import { countRelated } from './count-related.js';
import type { DataClient } from './data-client.js';
import type { AtMost, DataCall, RelatedRelation } from './plan.js';
import { type Selection, selectionOf, unaskedOf, withFields, withoutFields } from './selected-keys.js';

type Row = Readonly<Record<string, unknown>>;
type ForeignKey = NonNullable<RelatedRelation['foreignKey']>;

/** Returned if {@link loadLists} cannot answer, because the rows have other fields than the call selects. */
export const NOT_LOADED = Symbol('not loaded');

/**
 * Makes a read and reads each of its lists by a statement that stops at the limit. Prisma's own statement for the lists of several rows has no
 * limit. This needs no counting, and as many statements as Prisma would.
 *
 * @returns what the call returns, or {@link NOT_LOADED}
 * @throws ApiError if there are more related rows than the limit
 */
export async function loadLists(client: DataClient, call: DataCall, limit: AtMost): Promise<unknown> {
  const { relations = [], rows, problem } = limit;
  const lists = relations.filter(({ many }) => many).map((relation) => ({ relation, key: foreignKeyOf(relation) }));
  const references = [...new Set(lists.flatMap(({ key }) => key.references))];
  const names = new Set(lists.map(({ relation }) => relation.name));
  const unasked = unaskedOf(call.args, references);
  const args: Row = { ...withFields(withoutRelations(call.args, names), unasked) };
  const result = await callClient(client, { ...call, args });
  const owners = ([result].flat() as readonly (Row | null)[]).filter((row) => row !== null);
  if (owners.some((row) => references.some((name) => row[name] === undefined))) return NOT_LOADED;
  let room = rows - owners.reduce((sum, row) => sum + countRelated(row, relations), 0);
  if (owners.length > rows || room < 0) throw ApiError.of([problem]);
  const found = new Map<string, ListOf>();
  for (const { relation, key } of lists) {
    const list = await loadList(client, { call, relation, key, owners, limit: { ...limit, rows: room } });
    if (list === NOT_LOADED) return NOT_LOADED;
    room -= list.size;
    found.set(relation.name, list.of);
  }
  const complete = completer(call.args['select'], unasked, found);
  return Array.isArray(result) ? owners.map(complete) : owners.length === 0 ? result : complete(owners[0] ?? {});
}

type ListOf = (owner: Row) => readonly Row[];

/** Adds the lists to a row, without what was not asked for: the members are in the order of the selection, as Prisma returns them. */
function completer(select: unknown, unasked: readonly string[], lists: ReadonlyMap<string, ListOf>): (owner: Row) => Row {
  if (typeof select !== 'object' || select === null) {
    return (owner) => ({
      ...withoutFields(owner, unasked),
      ...Object.fromEntries([...lists].map(([name, listOf]) => [name, listOf(owner)])),
    });
  }
  const members = Object.keys(select).flatMap((name) => (unasked.includes(name) ? [] : { name, listOf: lists.get(name) }));
  return (owner) => {
    const row: Record<string, unknown> = {};
    for (const { name, listOf } of members) {
      if (listOf) row[name] = listOf(owner);
      else if (name in owner) row[name] = owner[name];
    }
    return row;
  };
}

/**
 * Whether the lists of a read can be loaded this way: their rows must hold the key, and only lists of a single record may have a `take` or `skip`.
 */
export function canLoadLists({ operation, args }: DataCall, { relations = [], rows }: AtMost): boolean {
  if (!operation.startsWith('find') || args['distinct'] !== undefined) return false;
  return areLoadable(relations, operation.startsWith('findUnique') ? isForwards : (list) => isWhole(list, rows), rows);
}

function areLoadable(relations: readonly RelatedRelation[], isPageable: (args: Row) => boolean, limit: number): boolean {
  return relations.every(({ many, foreignKey, args, relations: inner }) => {
    if (!many) return !inner.some(hasList);
    return foreignKey !== undefined && isPageable(args) && areLoadable(inner, (list) => isWhole(list, limit), limit);
  });
}

/** A page that begins at the first row, or at a number. */
function isForwards({ take = 0, cursor, distinct }: Row): boolean {
  return Number(take) >= 0 && cursor === undefined && distinct === undefined;
}

/** Whether all rows of a list are read: there is no `skip`, and no `take` within the limit. */
function isWhole(args: Row, limit: number): boolean {
  return isForwards(args) && args['skip'] === undefined && (args['take'] === undefined || Number(args['take']) > limit);
}

function hasList({ many, relations }: RelatedRelation): boolean {
  return many || relations.some(hasList);
}

interface List {
  readonly call: DataCall;
  readonly relation: RelatedRelation;
  readonly key: ForeignKey;
  readonly owners: readonly Row[];
  /** How many more rows may be loaded. */
  readonly limit: AtMost;
}

interface LoadedList {
  /** The number of its rows and of their related rows. */
  readonly size: number;
  readonly of: ListOf;
}

async function loadList(client: DataClient, { call, relation, key, owners, limit }: List): Promise<LoadedList | typeof NOT_LOADED> {
  const { fields, references } = key;
  const known = owners.filter((owner) => references.every((name) => owner[name] !== null));
  if (known.length === 0) return { size: 0, of: () => [] };
  const given = selectionIn(call.args, relation.name);
  const unasked = unaskedOf(given, fields);
  const { where, take, ...page } = relation.args;
  const among = whereAmong(known, fields, references);
  const most = Math.min(take === undefined ? Infinity : Number(take), limit.rows + 1);
  const args = { ...page, ...withFields(given, unasked), where: both(where, among), take: most };
  const list: DataCall = { delegate: relation.target.delegate, operation: 'findMany', args };
  const rows = await loadRows(client, list, { ...limit, relations: relation.relations });
  if (rows === NOT_LOADED || rows.some((row) => fields.some((name) => row[name] === undefined))) return NOT_LOADED;
  const size = rows.reduce((sum, row) => sum + countRelated(row, relation.relations), rows.length);
  if (size > limit.rows) throw ApiError.of([limit.problem]);
  const byOwner = new Map<string, Row[]>();
  for (const row of rows) {
    const text = textOf(row, fields);
    const own = byOwner.get(text);
    if (own) own.push(withoutFields(row, unasked));
    else byOwner.set(text, [withoutFields(row, unasked)]);
  }
  return { size, of: (owner) => byOwner.get(textOf(owner, references)) ?? [] };
}

async function loadRows(client: DataClient, call: DataCall, limit: AtMost): Promise<readonly Row[] | typeof NOT_LOADED> {
  const hasLists = limit.relations?.some(({ many }) => many) === true;
  return (await (hasLists ? loadLists(client, call, limit) : callClient(client, call))) as readonly Row[] | typeof NOT_LOADED;
}

function foreignKeyOf({ name, foreignKey }: RelatedRelation): ForeignKey {
  if (foreignKey === undefined) throw new TypeError(`The rows of ${name} hold no key.`);
  return foreignKey;
}

/** The selection of the rows of a relation. */
function selectionIn({ select, include }: Selection, name: string): Selection {
  const { [name]: given } = (select ?? include) as Row;
  return typeof given === 'object' && given !== null ? selectionOf(given as Row) : {};
}

function withoutRelations({ select, include, ...others }: Row, names: ReadonlySet<string>): Row & Selection {
  const rest = (given: unknown): Row => withoutFields(given as Row, [...names]);
  if (select !== undefined) return { ...others, select: rest(select) };
  const included = include === undefined ? {} : rest(include);
  return Object.keys(included).length === 0 ? others : { ...others, include: included };
}
