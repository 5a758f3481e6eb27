interface Node {
  readonly kind: string;
}

/** The members of a union of nodes that have a kind. */
type OfKind<Union extends Node, Kind> = Union extends Node ? (Kind extends Union['kind'] ? Union : never) : never;

/** One function for each kind of node in a union. TypeScript rejects a table that lacks a kind. */
export type Table<Union extends Node, Rest extends readonly unknown[], Result> = {
  readonly [Kind in Union['kind']]: (node: OfKind<Union, Kind>, ...rest: Rest) => Result;
};

/** Calls the function of a table for the kind of a node. */
export function match<Union extends Node, Rest extends readonly unknown[], Result>(
  table: Table<Union, Rest, Result>,
  node: Union,
  ...rest: Rest
): Result {
  // `as`: TypeScript does not relate the function of a kind to the type of this node.
  const make = table[node.kind as Union['kind']] as (node: Union, ...rest: Rest) => Result;
  return make(node, ...rest);
}
