/** A right that callers have who hold one of some grants; {@link granted} makes it. */
export interface Granted<Name extends string = string> {
  /** A string, not a symbol: for TypeScript and at run time alike, it may be made by the other copy of this package, CommonJS or ES module. */
  readonly '~grants': readonly Name[];
}

/**
 * Opens a right of a field, or an action of a model, to callers who hold one of these grants (option `grants`). To all others it is closed, as by
 * `false`.
 *
 * @example
 * resources: {
 *   User: { fields: { email: { read: granted('staff'), update: granted('staff', 'admin') } } },
 *   Tag: { actions: { read: granted('staff') } },
 * }
 */
export function granted<const Name extends string>(...names: readonly [Name, ...Name[]]): Granted<Name> {
  return Object.freeze({ '~grants': Object.freeze([...names]) });
}

/** The grants of which one is enough. */
export function grantsNamed(option: Granted): readonly string[] {
  return option['~grants'];
}

/** Whether an option names grants. */
export function isGranted(option: unknown): option is Granted {
  return typeof option === 'object' && option !== null && '~grants' in option;
}
