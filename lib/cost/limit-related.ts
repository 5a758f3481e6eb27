import { isTaken } from '../data-client/is-taken.js';
import type { AtMost, RelatedRelation } from '../data-client/plan.js';
import type { Problem } from '../errors/api-error.js';
import type { Storage } from '../model/storage/storage.js';
import type { Resource } from '../model/surface/surface.js';
import { relatedRelations } from './related-relations.js';

/** A call whose rows, and those that come along with them, are limited. */
export interface LimitedCall {
  readonly resource: Resource;
  readonly operation: string;
  /** Final ones. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The most rows, and again so many related ones. */
  readonly rows: number;
  /** What a further row means. */
  readonly problem: Problem;
  /** Tells by which keys rows are counted; without it they are by their owners. */
  readonly storage?: Storage | undefined;
}

/**
 * What the rows of a call must hold to, where more could come: how many there are, and how many come along with them.
 *
 * @param isOpen whether the call itself could return more than so many rows
 */
export function limitRelated({ resource, operation, args, rows, problem, storage }: LimitedCall, isOpen: boolean): AtMost | undefined {
  const relations = relatedRelations(resource, args, storage);
  if (isOne(operation, relations)) return undefined;
  const most = mostLoaded({ isSingle: SINGLE.has(operation), take: takeOf(operation, args) ?? rows }, relations);
  const isDistinct = args['distinct'] !== undefined;
  if (!Number.isSafeInteger(rows) || !(isOpen || isDistinct || most > rows)) return undefined;
  const isProbed = isDistinct || most > rows * TOLERANCE;
  const key = { name: resource.identifier.name, fields: resource.identifier.fields.map(({ name }) => name) };
  return { kind: 'at-most', rows, problem, ...(relations.length > 0 && { relations }), ...(isProbed && { probe: { key } }) };
}

/** Whether there is one row at most, and nothing comes along with it. */
function isOne(operation: string, { length }: readonly RelatedRelation[]): boolean {
  return SINGLE.has(operation) && length === 0;
}

function takeOf(operation: string, { take }: LimitedCall['args']): number | undefined {
  if (operation.startsWith('findFirst')) return 1;
  return take === undefined ? undefined : Math.abs(Number(take));
}

/** What may be loaded to see that it is too much, in times of what may be returned. */
const TOLERANCE = 3;

/** Operations about one record: only of this do Prisma's statements load no more of a list than its `take`. */
const SINGLE: ReadonlySet<string> = new Set(['findUnique', 'findUniqueOrThrow', 'create', 'update', 'upsert', 'delete']);

interface Parents {
  /** Whether there is one, found by its key. */
  readonly isSingle: boolean;
  /** How many there may be. */
  readonly take: number;
}

/** The most related rows that are loaded, as far as the arguments tell. */
function mostLoaded({ isSingle, take }: Parents, relations: readonly RelatedRelation[]): number {
  return relations.reduce((most, relation) => {
    if (relation.many && !(isSingle && isTaken(relation))) return Infinity;
    const rows = relation.many ? Math.abs(Number(relation.args['take'])) : isSingle ? 1 : take;
    return most + rows + mostLoaded({ isSingle: false, take: rows }, relation.relations);
  }, 0);
}
