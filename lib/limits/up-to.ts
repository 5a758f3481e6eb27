/** `take` for at most that many rows and one to tell that there are more. */
export function upTo(limit: number): { readonly take?: number } {
  return Number.isSafeInteger(limit) ? { take: limit + 1 } : {};
}
