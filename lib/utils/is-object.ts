/** Whether a value has members to look at: neither a scalar, null nor a list. Class instances are objects, too. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
