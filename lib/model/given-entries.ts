/** Returns the entries of an object whose value is not `undefined`. */
export function givenEntries<Value>(object: Readonly<Record<string, Value | undefined>>): readonly (readonly [string, Value])[] {
  return Object.entries(object).filter((entry): entry is [string, Value] => entry[1] !== undefined);
}
