/** A right for callers with at least one of several grants, as {@link granted} returns it. */
export interface Granted<Name extends string = string> {
  /**
   * The names of the grants. The key is a string and not a symbol, because the value may come from the other copy of this package (CommonJS
   * or ES module).
   */
  readonly '~grants': readonly Name[];
}

/**
 * Allows a right of a field, or an action of a model, to callers with at least one of these grants (option `grants`). For all others it is
 * denied, as by `false`.
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

/** Returns the grants of a right, of which a caller needs one. */
export function grantsNamed(option: Granted): readonly string[] {
  return option['~grants'];
}

/** Whether an option is a right by grants. */
export function isGranted(option: unknown): option is Granted {
  return typeof option === 'object' && option !== null && '~grants' in option;
}
