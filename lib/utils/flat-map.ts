/** Does what `Array.prototype.flatMap` does, which takes ten times as long on Node 20. For code that runs for each request. */
export function flatMap<Item, Result>(items: readonly Item[], map: (item: Item, index: number) => readonly Result[]): Result[] {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) for (const result of map(item, index)) results.push(result);
  return results;
}
