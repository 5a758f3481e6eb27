/** Returns `take` for `limit` rows plus one, which shows that more rows exist; no `take` for an infinite limit. */
export function takeOneMore(limit: number): { readonly take?: number } {
  return Number.isSafeInteger(limit) ? { take: limit + 1 } : {};
}
