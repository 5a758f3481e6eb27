import { findOperation, type KnownRpcOperation } from '../rpc/protocol/rpc-operations.js';
import { isPlainObject } from '../wire/is-plain-object.js';

/** One call: an operation of a model with its argument, as the user gave it. */
export interface CallSpec {
  /** The delegate's name, in lower camel case. */
  readonly model: string;
  /** One of the RPC style, or the name of an action of the host's. */
  readonly operation: string;
  readonly args: unknown;
  /** The relations that fluent methods have followed from the record; the last one's value is the result. */
  readonly relations: readonly string[];
  /** The tag of the version that it may change. */
  readonly ifMatch?: string;
}

/** An action of the host's: what it does is not known here. */
const OWN_ACTION = { verbs: ['POST'], input: 'body', result: 'data', actions: [] } as const;

/** What is known of the operation of a call. */
export function operationOf({ operation }: CallSpec): KnownRpcOperation | typeof OWN_ACTION {
  return findOperation(operation) ?? OWN_ACTION;
}

/** Whether it is an action of the host's. */
export function isOwnAction(spec: CallSpec): boolean {
  return operationOf(spec) === OWN_ACTION;
}

/** Whether it changes nothing, so that it may be sent twice. */
export function isRead(spec: CallSpec): boolean {
  const actions: readonly string[] = operationOf(spec).actions;
  return actions.includes('read');
}

/**
 * The call that a fluent method makes: it selects the relation, where the call so far ended, as Prisma does.
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

/** What the followed relations hold; null where one on the way is not there. */
export function pickRelated(record: unknown, relations: readonly string[]): unknown {
  return relations.reduce((value, relation) => (isPlainObject(value) ? value[relation] : null), record);
}
