/**
 * `never` where a given value has a key that the wanted type lacks, at any depth; `unknown` elsewhere. Given with a type parameter, TypeScript
 * itself lets such keys pass.
 *
 * @example
 * declare function find<Args extends FindArgs>(args: Args & Exact<Args, FindArgs>): void;
 */
export type Exact<Given, Wanted> = Given extends Leaf
  ? unknown
  : Given extends readonly unknown[]
    ? { [Index in keyof Given]: Exact<Given[Index], ItemOf<Wanted>> }
    : string extends KeyOfAny<Wanted>
      ? unknown
      : { [Key in keyof Given]: Key extends KeyOfAny<Wanted> ? Exact<Given[Key], ValueOfAny<Wanted, Key>> : never };

/** Values that are given whole. A Decimal is told by its method, whichever copy of its class it is of. */
type Leaf =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | Date
  | Uint8Array
  | { readonly toFixed: unknown }
  | ((...parts: never) => unknown);

type KeyOfAny<Union> = Union extends Leaf | readonly unknown[] ? never : Union extends Union ? keyof Union : never;

type ValueOfAny<Union, Key> = Union extends Leaf | readonly unknown[]
  ? never
  : Union extends Union
    ? Key extends keyof Union
      ? Union[Key]
      : never
    : never;

type ItemOf<Union> = Union extends readonly (infer Item)[] ? Item : never;
