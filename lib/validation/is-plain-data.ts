/** Whether a value is plain data all through: scalars, dates, and arrays and objects of them. */
export function isPlainData(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || value instanceof Date) return true;
  if (Array.isArray(value)) return value.every(isPlainData);
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === null || prototype === Object.prototype) && Object.values(value).every(isPlainData);
}
