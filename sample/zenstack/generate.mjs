// Writes src/generated/schema.ts. ZenStack's CLI needs Node 22; on Node 20 this supplies the two functions that it misses.
// Run it as `npm run generate`; what it writes is committed, since the CLI (180 packages) is needed for nothing else.
Object.groupBy ??= (items, keyOf) => Object.fromEntries(Map.groupBy(items, keyOf));
Map.groupBy ??= (items, keyOf) => {
  const groups = new Map();
  for (const [index, item] of [...items].entries()) {
    const key = keyOf(item, index);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
};
