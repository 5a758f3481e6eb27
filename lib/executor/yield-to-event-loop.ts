import { setImmediate } from 'node:timers';
import { isPlainObject } from '../wire/is-plain-object.js';

/** Rows and other objects from which on work on them takes milliseconds. */
const MANY = 2000;

/** Gives the event loop a turn between two pieces of work on the same results, where these are many: other requests need not wait for both. */
export async function tickAfter(results: unknown): Promise<void> {
  if (areMany(results)) await endOfTick();
}

/** Works on results, with a turn of the event loop before and after it where these are many. */
export async function yieldToEventLoop<Results, Made>(results: Results, work: (results: Results) => Made): Promise<Made> {
  if (!areMany(results)) return work(results);
  await endOfTick();
  const made = work(results);
  await endOfTick();
  return made;
}

/** The end of this turn of the event loop, also where a test of the host holds its timers. */
export function endOfTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function areMany(results: unknown): boolean {
  return typeof results === 'object' && results !== null && countObjects(results, MANY) >= MANY;
}

/** How many objects are in a value; no more of them are looked at than `most`. Instances of classes count, and are not looked into. */
function countObjects(value: object, most: number): number {
  let count = 0;
  const look = (member: unknown): void => {
    if (typeof member === 'object' && member !== null) count += 1 + countObjects(member, most - count - 1);
  };
  if (Array.isArray(value)) for (let index = 0; index < value.length && count < most; index++) look(value[index]);
  else if (isPlainObject(value))
    for (const name in value) {
      if (count >= most) break;
      look(value[name]);
    }
  return count;
}
