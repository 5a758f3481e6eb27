import { RPC_OPERATIONS, type RpcOperationName } from '../rpc/rpc-operations.js';
import { isPlainObject } from '../wire/is-plain-object.js';

/** One call: an operation of a model with its argument, as the user gave it. */
export interface CallSpec {
  /** The delegate's name, in lower camel case. */
  readonly model: string;
  readonly operation: RpcOperationName;
  readonly args: unknown;
  /** The relations that fluent methods have followed from the record; the last one's value is the result. */
  readonly relations: readonly string[];
}

/** Whether it changes nothing, so that it may be sent twice. */
export function isRead({ operation }: CallSpec): boolean {
  const actions: readonly string[] = RPC_OPERATIONS[operation].actions;
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
