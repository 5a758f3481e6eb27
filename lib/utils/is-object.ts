/** Whether a value is an object: not a scalar, null or an array. Class instances are objects. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
