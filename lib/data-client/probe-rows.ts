import { ApiError } from '../errors/api-error.js';
import { callClient } from './call-client.js';
import { countList } from './count-list.js';
import { countRelated, relatedRows } from './count-related.js';
import type { DataClient } from './data-client.js';
import { isTaken } from './is-taken.js';
import type { AtMost, DataCall, RelatedRelation } from './plan.js';
import { withoutSelection } from './selected-keys.js';

type Row = Readonly<Record<string, unknown>>;

/**
 * Checks that a read stays within its limit before its rows are loaded. Level by level, it loads the keys of rows that are known to be few, and
 * counts the rows in the lists below them. So memory holds at most a small multiple of the limit.
 *
 * @throws ApiError when the limit is passed
 */
export async function probeRows(client: DataClient, call: DataCall, limit: AtMost): Promise<void> {
  const { relations = [], rows } = limit;
  if (call.args['distinct'] !== undefined) await probeDistinct(client, call, limit);
  const most = (await probeLists(client, call, limit)) ?? rows;
  // Rows of to-one relations are not counted yet: each row has one at most.
  const isOpen =
    most * references(relations) > rows || (isSingle(call) && frontier(call, relations).length === 0 && listDepth(relations) === 1);
  if (isOpen) await findWithin(client, { call, limit, level: listDepth(relations), isWhole: true });
}

/** @returns the number of rows in all lists and of those that have them; undefined where there is no list to count */
async function probeLists(client: DataClient, call: DataCall, limit: AtMost): Promise<number | undefined> {
  const { relations = [], rows, problem } = limit;
  let most: number | undefined;
  for (let level = isSingle(call) && frontier(call, relations).length === 0 ? 1 : 0; level < listDepth(relations); level++) {
    const found = await findWithin(client, { call, limit, level });
    const lists = level === 0 ? frontier(call, relations, found) : listsBelow(relations, found, level);
    const known = countAll(found, relations);
    const below = await countLists(client, lists, rows - known);
    if (known + below > rows) throw ApiError.of([problem]);
    most = found.length + known + below;
  }
  return most;
}

/** Prisma computes `distinct` in memory, from all rows that match the filter. */
async function probeDistinct(client: DataClient, { delegate, args: { where } }: DataCall, { rows, problem }: AtMost): Promise<void> {
  const args = { ...(where !== undefined && { where }), take: rows + 1 };
  const found = await callClient(client, { delegate, operation: 'count', args });
  if (Number(found) > rows) throw ApiError.of([problem]);
}

interface Level {
  readonly call: DataCall;
  readonly limit: AtMost;
  readonly level: number;
  /** Whether to include to-one relations that lead to no list. */
  readonly isWhole?: boolean;
}

/** The rows of a read, with keys only, and the given number of levels of lists. */
async function findWithin(client: DataClient, { call, limit, level, isWhole = false }: Level): Promise<readonly Row[]> {
  const { relations = [], probe, rows, problem } = limit;
  const args = withoutSelection(call.args);
  const keys = selectKeys({ relations, key: probe?.key.fields ?? [], isWhole }, level);
  const result = await callClient(client, { ...call, args: { ...args, select: keys } });
  const found = ([result].flat() as readonly (Row | null)[]).filter((row) => row !== null);
  if (found.length > rows || countAll(found, relations) > rows) throw ApiError.of([problem]);
  return found;
}

function countAll(rows: readonly Row[], relations: readonly RelatedRelation[]): number {
  return rows.reduce((sum, row) => sum + countRelated(row, relations), 0);
}

interface Selected {
  readonly relations: readonly RelatedRelation[];
  readonly key: readonly string[];
  readonly isWhole: boolean;
}

function selectKeys({ relations, key, isWhole }: Selected, level: number): Row {
  const selected = new Map<string, unknown>(key.map((name) => [name, true]));
  for (const { name, many, args, target, foreignKey, relations: inner } of relations) {
    for (const reference of many ? (foreignKey?.references ?? []) : []) selected.set(reference, true);
    const isSelected = many ? level > 0 : isWhole || listDepth(inner) > 0;
    if (!isSelected) continue;
    const below = selectKeys({ relations: inner, key: target.key, isWhole }, many ? level - 1 : level);
    selected.set(name, { ...args, select: below });
  }
  return Object.fromEntries(selected);
}

/** The number of to-one relations that lead to no list. */
function references(relations: readonly RelatedRelation[]): number {
  return relations.reduce((sum, { many, relations: inner }) => {
    return sum + references(inner) + (many || listDepth(inner) > 0 ? 0 : 1);
  }, 0);
}

/** A list whose rows are not loaded yet, and its owners. */
interface Frontier {
  readonly relation: RelatedRelation;
  readonly owners: readonly Row[];
}

/** The lists at the given level. */
function listsBelow(relations: readonly RelatedRelation[], rows: readonly Row[], level: number): readonly Frontier[] {
  if (level === 0) return listsOf(relations, rows);
  return relations.flatMap(({ name, many, relations: inner }) => {
    const below = rows.flatMap((row) => relatedRows(row, name)) as readonly Row[];
    return listsBelow(inner, below, many ? level - 1 : level);
  });
}

/**
 * The lists of the rows of a read itself and of those that they refer to. The list of one record, found by its key, is not read beyond its `take`.
 */
function frontier(call: DataCall, relations: readonly RelatedRelation[], rows: readonly Row[] = []): readonly Frontier[] {
  return listsOf(relations, rows).filter(({ relation }) => !(isSingle(call) && relations.includes(relation) && isTaken(relation)));
}

function listsOf(relations: readonly RelatedRelation[], owners: readonly Row[]): readonly Frontier[] {
  return relations.flatMap((relation) => {
    if (relation.many) return [{ relation, owners }];
    return listsOf(relation.relations, owners.flatMap((row) => relatedRows(row, relation.name)) as readonly Row[]);
  });
}

/** The number of rows in the lists. If it seems to pass the limit, it is counted exactly. */
async function countLists(client: DataClient, lists: readonly Frontier[], room: number): Promise<number> {
  let sum = 0;
  const inexact: (() => Promise<number>)[] = [];
  for (const { relation, owners } of lists) {
    const { rows, exactly } = await countList(client, relation, owners);
    if (exactly && rows > 0) inexact.push(async () => (await exactly()) - rows);
    sum += rows;
  }
  for (const correction of inexact) if (sum > room) sum += await correction();
  return sum;
}

function isSingle({ operation }: DataCall): boolean {
  return operation.startsWith('findUnique');
}

/** Levels of lists below lists. */
function listDepth(relations: readonly RelatedRelation[]): number {
  return relations.reduce((most, { many, relations: inner }) => Math.max(most, listDepth(inner) + (many ? 1 : 0)), 0);
}
