/** The entries of an object that were given: `undefined` is the same as absent. */
export function givenEntries<Value>(object: Readonly<Record<string, Value | undefined>>): readonly (readonly [string, Value])[] {
  return Object.entries(object).filter((entry): entry is [string, Value] => entry[1] !== undefined);
}
