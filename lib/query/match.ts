interface Node {
  readonly kind: string;
}

/** The nodes of a union that may be of a kind. */
type OfKind<Union extends Node, Kind> = Union extends Node ? (Kind extends Union['kind'] ? Union : never) : never;

/** What is made of each kind of node. A kind that a table forgets does not compile. */
export type Table<Union extends Node, Rest extends readonly unknown[], Result> = {
  readonly [Kind in Union['kind']]: (node: OfKind<Union, Kind>, ...rest: Rest) => Result;
};

/** Makes of a node what the table says for its kind. */
export function match<Union extends Node, Rest extends readonly unknown[], Result>(
  table: Table<Union, Rest, Result>,
  node: Union,
  ...rest: Rest
): Result {
  // The table has a function for each kind, which TypeScript does not tell to be that of this node.
  const make = table[node.kind as Union['kind']] as (node: Union, ...rest: Rest) => Result;
  return make(node, ...rest);
}
