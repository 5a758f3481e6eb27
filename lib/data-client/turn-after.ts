/** Rows and other objects from which on work on them takes milliseconds. */
const MANY = 2000;

/** Gives the event loop a turn between two pieces of work on the same results, where these are many: other requests need not wait for both. */
export async function turnAfter(results: unknown): Promise<void> {
  if (countObjects(results, MANY) < MANY) return;
  await new Promise((resolve) => setImmediate(resolve));
}

/** How many objects are in a value; no more of them are looked at than `most`. */
function countObjects(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return 0;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = 0;
  for (const member of members) {
    if (count >= most) break;
    if (typeof member === 'object' && member !== null) count += 1 + countObjects(member, most - count - 1);
  }
  return count;
}
