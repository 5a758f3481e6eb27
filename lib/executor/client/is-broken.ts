import { dataLayerError } from '../../errors/data-layer-error.js';
import { isClientBroken } from '../../errors/is-client-broken.js';
import type { Storage, StoredModel } from '../../model/storage/storage.js';
import { isConnectiveName } from '../../model/surface/prisma-operators.js';
import { hasRowKey, rowKey } from '../../query/key.js';
import { NEVER } from '../../query/condition.js';
import { selectFields } from '../../query/fields.js';
import type { Find } from '../../query/read.js';
import { WHOLE } from '../../query/selection.js';
import type { Executor } from '../executor.js';

/**
 * Whether a client that has panicked fails other queries, too. Runs a query of no rows that Prisma must compile. A panic over one query leaves the
 * client usable.
 *
 * @param executor of the client, without rules
 */
export async function isBroken(executor: Executor, storage: Storage): Promise<boolean> {
  const model = [...storage.byModel.values()].find(isPlain);
  if (!model) return true;
  try {
    await executor.run(queryOfNoRows(model));
    return false;
  } catch (error) {
    // If the database has rejected the query, the engine has sent it.
    return isClientBroken(error) || dataLayerError(error) === undefined;
  }
}

/** Whether no name of a model can cause the panic. */
function isPlain(model: StoredModel): boolean {
  return hasRowKey(model) && [...model.fields.keys(), ...model.relations.keys()].every((name) => !isConnectiveName(name));
}

/**
 * Returns a query of no rows with another number of conditions than the last one. Prisma caches query plans by shape, and a cached plan would bypass
 * the compiler.
 */
function queryOfNoRows(model: StoredModel): Find {
  checks = (checks % MOST_CONDITIONS) + 1;
  const conditions = Array.from({ length: checks + 1 }, () => NEVER);
  return {
    kind: 'find',
    rows: 'first',
    isRequired: false,
    model,
    where: { kind: 'or', conditions },
    order: [],
    page: WHOLE,
    selection: selectFields(model, rowKey(model).fields),
  };
}

const MOST_CONDITIONS = 200;
let checks = 0;
