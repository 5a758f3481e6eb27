import { ApiError } from '../errors/api-error.js';
import type { Action } from '../model/surface/surface.js';
import { once } from '../utils/memoize-by-object.js';
import type { ApiStyle, OwnActionName } from '../options/api-style.js';

/** One action of a request on one model. */
export interface Touch {
  /** Prisma's name of the model. */
  readonly model: string;
  readonly action: Action;
  /**
   * Prisma's names of the fields and relations that are read, compared, sorted by or written. If the foreign key of a link is in the
   * written row, the columns of that key are listed.
   */
  readonly fields: readonly string[];
}

/** The operation of a request to this module, for guards, interceptors and pipes. */
export interface ResourceOperation {
  readonly style: ApiStyle;
  /** Prisma's name of the model in the path. Undefined if the path names no exposed model, or belongs to a batch. */
  readonly model: string | undefined;
  /**
   * REST: the operation of the endpoint, e.g. `fetchCollection`. RPC: that of the data client, e.g. `findMany`, or
   * `$transaction/sequential`. MCP: that of RPC by which a tool is executed, or the method, e.g. `tools/list`.
   */
  readonly operation: string | undefined;
  /**
   * The action on the model, or the name of a method with `@ResourceAction`, whose required right is in `actions`. Undefined if no
   * operation of that name exists.
   */
  readonly action: Action | OwnActionName | undefined;
  /**
   * All actions that the operation may execute: `upsert` creates or updates. A guard that allows requests by action must allow each of
   * them.
   */
  readonly actions: readonly Action[];
  /**
   * All actions of the request, on the model in the path and on others, as the request is executed. There is one entry for each model and
   * action. They include nested writes, links, conditions, sort keys, included relations and the response to a write. A method with
   * `@ResourceAction` has one entry, with the right that it requires.
   *
   * Undefined if the request cannot be parsed. Such a request is rejected after the guards.
   *
   * Computed on first access.
   */
  readonly touches: readonly Touch[] | undefined;
  /** REST only: the relationship in the path, in the client's letter case. */
  readonly relationship?: string;
  /**
   * Batches of RPC, and the tool `write` of MCP, only: the operations in order. Global guards, interceptors and pipes receive them together, and a global guard must check
   * each. The guards of the module (option `guards`) run once per operation, and receive that operation instead of the batch.
   */
  readonly batch?: readonly ResourceOperation[];
}

/**
 * @internal Adds the property `touches` to an operation. It is computed on first access, and not enumerable, so that printing or comparing
 * the operation does not compute it.
 *
 * @param read throws ApiError if the request cannot be parsed
 */
export function touching(operation: Omit<ResourceOperation, 'touches'>, read: () => readonly Touch[] | undefined): ResourceOperation {
  // `as`: `touches` is the only missing property.
  return Object.defineProperty(operation, 'touches', { get: once(() => readable(read)) }) as ResourceOperation;
}

/**
 * Returns undefined if the request cannot be parsed. `limit-exceeded` is thrown instead, because this plan assumes all grants. The plan of
 * a caller with fewer grants may be cheaper, and would then be executed although a guard has received `undefined`.
 */
function readable(read: () => readonly Touch[] | undefined): readonly Touch[] | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ApiError && !error.problems.some(({ code }) => code === 'limit-exceeded')) return undefined;
    throw error;
  }
}

/** @internal Returns the operations of a batch, or the single operation of another request. */
export function operationsIn(operation: ResourceOperation | undefined): readonly ResourceOperation[] {
  return operation ? (operation.batch ?? [operation]) : [];
}

/**
 * @internal Returns the actions of an operation by the names that options use. A method with `@ResourceAction` has its name, and not the
 * right that it requires.
 */
export function namedActions({ action, actions }: ResourceOperation): readonly string[] {
  return action === undefined || actions.some((one) => one === action) ? actions : [action];
}
