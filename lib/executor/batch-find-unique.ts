import { dataLayerError } from '../errors/data-layer-error.js';
import type { StoredModel } from '../model/storage/storage.js';
import { uniqueAsCondition } from '../query/condition.js';
import { areFields, fieldsIn } from '../query/fields.js';
import type { Query } from '../query/query.js';
import type { Find, FindUnique } from '../query/read.js';
import type { ResultOf } from '../query/result.js';
import { type Selection, WHOLE } from '../query/selection.js';
import { onceEach } from '../utils/once.js';
import type { DataClient } from './data-client.js';
import type { Executor } from './executor.js';
import { isPlainClient } from './is-plain-client.js';
import { isOpenTransaction } from './transactions.js';
import { endOfTick } from './yield-to-event-loop.js';

/**
 * The same executor, which asks for a row by a key together with those that others ask for in this turn of the event loop. A Prisma client makes one
 * statement of all that are found so in one tick (Prisma documentation, "Query optimization", on the dataloader of `findUnique`): a statement for
 * each, and its way to the database and back, takes several times as long.
 *
 * Whoever has extended a client may do something for each row that is found, and a transaction is of one request: these ask for each by itself.
 *
 * @param client that the executor asks
 */
export function batchFindUnique(executor: Executor, client: DataClient): Executor {
  const run = <Asked extends Query>(query: Asked): Promise<ResultOf<Asked>> => {
    if (!isFoundTogether(query) || !isPlainClient(client) || isOpenTransaction(client)) return executor.run(query);
    return findTogether(executor, query) as Promise<ResultOf<Asked>>;
  };
  return { ...executor, run };
}

/** Whether Prisma makes one statement of several such queries: of rows by one field, with nothing but fields in their answers. */
export function isFoundTogether(query: Query): query is FindUnique {
  if (query.kind !== 'find-unique') return false;
  const { keys, more } = query.where;
  const [{ values }] = keys;
  return more.kind === 'always' && keys.length === 1 && values.length === 1 && isExact(values[0]) && areFields(query.selection);
}

/** Prisma hands out the rows of the statement by the values of their keys. */
function isExact(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
}

/**
 * Prisma compares keys as JavaScript does, and fails all of a statement for one of its values or rows. So what is not found there, or not read,
 * is asked for again by itself.
 */
async function findTogether(executor: Executor, query: FindUnique): Promise<ResultOf<FindUnique>> {
  const turn = joinTurn(query);
  await turn.end;
  if (turn.size === 1) return executor.run(query);
  const found = await executor.run(query).catch((error: unknown) => {
    if (dataLayerError(error)?.problems[0].code === 'unavailable') throw error;
    return null;
  });
  return found ?? executor.run(byItself(query));
}

/** The same as a query that Prisma never puts together with others. */
function byItself({ where, ...query }: FindUnique): Find & { readonly rows: 'first' } {
  return { ...query, kind: 'find', rows: 'first', where: uniqueAsCondition(where), order: [], page: WHOLE };
}

/** The most rows of one statement. Prisma plans it anew for each number of them. */
const MOST = 16;

/** Those who ask alike until this turn of the event loop ends, which is after all that has arrived on sockets. Prisma asks before the next one ends. */
interface Turn {
  size: number;
  readonly end: Promise<void>;
}

function joinTurn(query: FindUnique): Turn {
  const turns = turnsOf(query.model);
  const name = serializeShape(query);
  const last = turns.get(name);
  if (last && last.size < MOST) {
    last.size++;
    return last;
  }
  const made: Turn = {
    size: 1,
    end: endOfTick().then(() => {
      if (turns.get(name) === made) turns.delete(name);
    }),
  };
  turns.set(name, made);
  return made;
}

/** Of the rows of a model, by what is asked for. */
const turnsOf = onceEach((_: StoredModel) => new Map<string, Turn>());

/** Prisma gives all rows of a statement the members of the first, in its order. */
function serializeShape({ where: { keys }, selection, isRequired }: FindUnique): string {
  return `${keys[0].key.name}${isRequired ? '!' : '?'}${namesIn(selection)}`;
}

/** Many requests share one selection. */
const namesIn = onceEach((selection: Selection) => fieldsIn(selection).join());
