/** Rows and other objects from which on work on them takes milliseconds. */
const MANY = 2000;

/** Gives the event loop a turn between two pieces of work on the same results, where these are many: other requests need not wait for both. */
export async function turnAfter(results: unknown): Promise<void> {
  if (areMany(results)) await turn();
}

/** Works on results, with a turn of the event loop before and after it where these are many. */
export async function betweenTurns<Results, Made>(results: Results, work: (results: Results) => Made): Promise<Made> {
  if (!areMany(results)) return work(results);
  await turn();
  const made = work(results);
  await turn();
  return made;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function areMany(results: unknown): boolean {
  return typeof results === 'object' && results !== null && countObjects(results, MANY) >= MANY;
}

/** How many objects are in a value; no more of them are looked at than `most`. Dates and bytes count, and are not looked into. */
function countObjects(value: object, most: number): number {
  if (value instanceof Date || ArrayBuffer.isView(value)) return 0;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = 0;
  for (const member of members) {
    if (count >= most) break;
    if (typeof member === 'object' && member !== null) count += 1 + countObjects(member, most - count - 1);
  }
  return count;
}
