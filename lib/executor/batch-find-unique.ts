import { dataLayerError } from '../errors/data-layer-error.js';
import type { StoredModel } from '../model/storage/storage.js';
import { uniqueAsCondition } from '../query/condition.js';
import { areFields, fieldsIn } from '../query/fields.js';
import type { Query } from '../query/query.js';
import type { Find, FindUnique } from '../query/read.js';
import type { ResultOf } from '../query/result.js';
import { type Selection, WHOLE } from '../query/selection.js';
import { memoizeByObject } from '../utils/memoize-by-object.js';
import type { DataClient } from './data-client.js';
import type { Executor } from './executor.js';
import { isPlainClient } from './client/extensions-of.js';
import type { RunTally } from './run-tally.js';
import { isOpenTransaction } from './transactions.js';
import { endOfTick } from './yield-to-event-loop.js';

/**
 * Wraps an executor so that its look-ups by key share a statement with those of other requests in the same tick. Prisma batches the `findUnique`
 * calls of one tick (Prisma documentation, "Query optimization", on the dataloader of `findUnique`). Separate statements and round trips take several
 * times as long.
 *
 * Look-ups of extended clients and open transactions are not batched: an extension may act on each row, and a transaction belongs to one request.
 *
 * @param client that the executor calls
 */
export function batchFindUnique(executor: Executor, client: DataClient, tally?: RunTally): Executor {
  const run = <Q extends Query>(query: Q): Promise<ResultOf<Q>> => {
    if (!isBatchable(query) || !isPlainClient(client) || isOpenTransaction(client)) return executor.run(query);
    return findInBatch(executor, query, tally) as Promise<ResultOf<Q>>;
  };
  return { ...executor, run };
}

/** Whether Prisma can batch a query: it looks up one row by a single-field key, and selects only fields. */
export function isBatchable(query: Query): query is FindUnique {
  if (query.kind !== 'find-unique') return false;
  const { keys, more } = query.where;
  const [{ values }] = keys;
  return more.kind === 'always' && keys.length === 1 && values.length === 1 && isExact(values[0]) && areFields(query.selection);
}

/** Whether Prisma can match the rows of a batch to this key value. */
function isExact(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
}

/**
 * Runs a look-up in the batch of this tick. Because Prisma compares keys as JavaScript does, and one value or row may fail the whole batch, a look-up
 * without a result runs again alone.
 */
async function findInBatch(executor: Executor, query: FindUnique, tally: RunTally | undefined): Promise<ResultOf<FindUnique>> {
  const batch = joinBatch(query);
  await batch.end;
  if (batch.size === 1) return executor.run(query);
  if (tally) tally.isShared = true;
  const found = await executor.run(query).catch((error: unknown) => {
    if (dataLayerError(error)?.problems[0].code === 'unavailable') throw error;
    return null;
  });
  return found ?? executor.run(asFindFirst(query));
}

/** Converts a look-up into a `findFirst`, which Prisma never batches. */
function asFindFirst({ where, ...query }: FindUnique): Find & { readonly rows: 'first' } {
  return { ...query, kind: 'find', rows: 'first', where: uniqueAsCondition(where), order: [], page: WHOLE };
}

/** Maximum number of rows in one batch. Prisma compiles a new query plan for each number of rows. */
const MOST = 16;

/** Look-ups of the same shape in one tick. `end` resolves after the I/O callbacks of the tick. Prisma sends the batch before the next tick ends. */
interface Batch {
  size: number;
  readonly end: Promise<void>;
}

function joinBatch(query: FindUnique): Batch {
  const batches = batchesOf(query.model);
  const name = serializeShape(query);
  const last = batches.get(name);
  if (last && last.size < MOST) {
    last.size++;
    return last;
  }
  const made: Batch = {
    size: 1,
    end: endOfTick().then(() => {
      if (batches.get(name) === made) batches.delete(name);
    }),
  };
  batches.set(name, made);
  return made;
}

/** Returns the current batches of a model, by query shape. */
const batchesOf = memoizeByObject((_: StoredModel) => new Map<string, Batch>());

/**
 * Serializes the key and the selected fields. They must be equal within a batch, because Prisma returns all rows with the fields of the first query.
 */
function serializeShape({ where: { keys }, selection, isRequired }: FindUnique): string {
  return `${keys[0].key.name}${isRequired ? '!' : '?'}${namesIn(selection)}`;
}

/** Returns the selected field names. They are cached, because many requests share one selection. */
const namesIn = memoizeByObject((selection: Selection) => fieldsIn(selection).join());
