import { ApiError } from '../errors/api-error.js';
import type { Action } from '../model/surface/surface.js';
import { once } from '../utils/once.js';
import type { ApiStyle, OwnActionName } from '../options/api-style.js';

/** One thing that a request does to a model. */
export interface Touch {
  /** Prisma's name of the model. */
  readonly model: string;
  readonly action: Action;
  /**
   * Prisma's names of the fields and relations that are read, compared, sorted by or written. A link that a row itself holds is written by the columns of
   * its foreign key.
   */
  readonly fields: readonly string[];
}

/** What a request to this module is about, as a guard needs it. */
export interface ResourceOperation {
  readonly style: ApiStyle;
  /** Prisma's name of the model in the path; undefined when the path names no exposed one, or is a batch's. */
  readonly model: string | undefined;
  /** REST: the endpoint's operation, e.g. `fetchCollection`; RPC: the data client's, e.g. `findMany`, or `$transaction/sequential`. */
  readonly operation: string | undefined;
  /**
   * What the operation does to the model, or the name of the host's own action (`@ResourceAction`), whose right is in `actions`; undefined when
   * nothing of that name exists.
   */
  readonly action: Action | OwnActionName | undefined;
  /** All that it may do: `upsert` creates or updates. A guard that allows by action must allow each. */
  readonly actions: readonly Action[];
  /**
   * All that the request does, to the model in the path and to others: one entry for each model and action, as the request is executed. Nested writes,
   * links, conditions, sort keys, included relations and the answer to a write are among it. The host's own actions have that of their right alone.
   *
   * Undefined where the request cannot be read. Such a request is refused after the guards.
   *
   * Worked out when it is first asked for.
   */
  readonly touches: readonly Touch[] | undefined;
  /** REST only: the relationship in the path, as the client wrote it. */
  readonly relationship?: string;
  /**
   * RPC batches only: the operations in order, as a global guard, an interceptor or a pipe sees them. A global guard must check each. The
   * guards of the module (option `guards`) run once per operation and see that operation in place of the batch.
   */
  readonly batch?: readonly ResourceOperation[];
}

/**
 * @internal Adds what an operation touches: worked out on first use, and left out where an operation is printed or compared.
 *
 * @param read throws ApiError for what cannot be read
 */
export function touching(operation: Omit<ResourceOperation, 'touches'>, read: () => readonly Touch[] | undefined): ResourceOperation {
  // `as`: the property is the one that is missing.
  return Object.defineProperty(operation, 'touches', { get: once(() => readable(read)) }) as ResourceOperation;
}

/**
 * Callers with fewer grants are shown less, and so may do with less than is planned here: what costs too much is told, lest it pass for unreadable and
 * be executed for them all the same.
 */
function readable(read: () => readonly Touch[] | undefined): readonly Touch[] | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ApiError && !error.problems.some(({ code }) => code === 'limit-exceeded')) return undefined;
    throw error;
  }
}

/** @internal The operations of a request, each by itself. */
export function operationsIn(operation: ResourceOperation | undefined): readonly ResourceOperation[] {
  return operation ? (operation.batch ?? [operation]) : [];
}

/** @internal What an operation does by the names of options: the host's own action by its name, and not by the right that it needs. */
export function namedActions({ action, actions }: ResourceOperation): readonly string[] {
  return action === undefined || actions.some((one) => one === action) ? actions : [action];
}
