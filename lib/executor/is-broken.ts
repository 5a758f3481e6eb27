import { dataLayerError } from '../errors/data-layer-error.js';
import { isClientBroken } from '../errors/is-client-broken.js';
import type { Storage, StoredModel } from '../model/storage/storage.js';
import { isConnectiveName } from '../model/surface/prisma-operators.js';
import { hasRowKey, rowKey } from '../query/key.js';
import { NEVER } from '../query/condition.js';
import { selectFields } from '../query/fields.js';
import type { Find } from '../query/read.js';
import { WHOLE } from '../query/selection.js';
import type { Executor } from './executor.js';

/**
 * Whether a client that has panicked fails other queries too: a query of no rows is compiled again. A panic for a reason in one query leaves the client sound.
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
    // A database that refuses the query has been sent it.
    return isClientBroken(error) || dataLayerError(error) === undefined;
  }
}

/** Whether no name of a model can be what Prisma panics over. */
function isPlain(model: StoredModel): boolean {
  return hasRowKey(model) && [...model.fields.keys(), ...model.relations.keys()].every((name) => !isConnectiveName(name));
}

/** Each has another number of conditions than the last: Prisma caches the plan of a query by its shape, and a cached plan would prove nothing. */
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
