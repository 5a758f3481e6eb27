/** Whether an `orderBy` has any key. */
export function isOrdered(orderBy: unknown): boolean {
  return [orderBy].flat().some((term) => Object.keys(term ?? {}).length > 0);
}
