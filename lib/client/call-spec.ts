import { findOperation, type KnownRpcOperation } from '../rpc/protocol/rpc-operations.js';
import { isPlainObject } from '../wire/is-plain-object.js';

/** One call: an operation of a model with its argument, as the caller gave it. */
export interface CallSpec {
  /** The delegate's name, in lower camel case. */
  readonly model: string;
  /** An operation of the RPC style, or the name of an action of the application. */
  readonly operation: string;
  readonly args: unknown;
  /** The relations that fluent methods have followed from the record. The result of the call is the value of the last one. */
  readonly relations: readonly string[];
  /** The entity tag that the call sends as `If-Match`. */
  readonly ifMatch?: string;
}

/** The properties of every action of the application. It is never treated as a read, because the client cannot determine whether it writes. */
const OWN_ACTION = { verbs: ['POST'], input: 'body', result: 'data', actions: [] } as const;

/** Returns the operation of a call. */
export function operationOf({ operation }: CallSpec): KnownRpcOperation | typeof OWN_ACTION {
  return findOperation(operation) ?? OWN_ACTION;
}

/** Whether the call is of an action of the application. */
export function isOwnAction(spec: CallSpec): boolean {
  return operationOf(spec) === OWN_ACTION;
}

/** Whether the call is a read, so that it may be sent twice. */
export function isRead(spec: CallSpec): boolean {
  const actions: readonly string[] = operationOf(spec).actions;
  return actions.includes('read');
}

/**
 * Returns the call that a fluent method makes. Like Prisma's, it selects the relation from the record in which the previous call ended.
 *
 * @example
 * followRelation({ …, args: { where: { id: 1 } }, relations: [] }, 'author', undefined)
 * // { …, args: { where: { id: 1 }, select: { author: true } }, relations: ['author'] }
 */
export function followRelation(spec: CallSpec, relation: string, args: unknown): CallSpec {
  const relations = [...spec.relations, relation];
  return { ...spec, relations, args: select(spec.args, relations, args ?? true) };
}

function select(args: unknown, [relation, ...further]: readonly string[], selection: unknown): unknown {
  if (relation === undefined) return selection;
  const outer = isPlainObject(args) ? args : {};
  const selected = isPlainObject(outer['select']) ? outer['select'] : {};
  return { ...outer, select: { ...selected, [relation]: select(selected[relation], further, selection) } };
}

/** Returns the value of the last followed relation; null if a relation on the way has no record. */
export function pickRelated(record: unknown, relations: readonly string[]): unknown {
  return relations.reduce((value, relation) => (isPlainObject(value) ? value[relation] : null), record);
}
