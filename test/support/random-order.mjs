import Sequencer from '@jest/test-sequencer';
import { randomInt } from 'node:crypto';
import { PROFILE } from './profile.mjs';

/**
 * The order of the test files: by how long they took, as Jest has it, or with `TEST_SEED=4711` a random one, the same for the same number. `TEST_SEED=random` draws a number, and
 * prints it. With `TEST_SHUFFLE=tests`, tests within a file follow (`shuffleTests`). Which files meet in a worker depends on how long each takes: `-w 1` leaves nothing to that.
 */
export default class RandomOrder extends Sequencer {
  sort(tests) {
    const seed = drawSeed();
    if (seed === undefined) return longestFirst(super.sort(tests));
    process.stderr.write(`A random order. Once more the same: TEST_SEED=${seed} npm test\n`);
    return shuffled(
      [...tests].sort((one, other) => (one.path < other.path ? -1 : 1)),
      seed,
    );
  }
}

/** The files that take minutes in the long suites, the longest first. Jest has the times of `npm test` alone. */
const LONGEST = [
  'security/costly-lists',
  'security/random-requests',
  'sql/writes-as-prisma',
  'rules/differing-',
  'sql/lost-connections',
  'sql/random-',
];

/** In the long suites, so that none of these begins when the others are done. */
function longestFirst(tests) {
  if (PROFILE !== 'full') return tests;
  const placeOf = ({ path }) => [...LONGEST, ''].findIndex((name) => path.includes(name));
  return [...tests].sort((one, other) => placeOf(one) - placeOf(other));
}

/**
 * For `handleTestEvent` of a test environment.
 *
 * @param {import('jest-circus').Circus.Event} event
 * @param {import('jest-circus').Circus.State} state
 */
export function shuffleTests(event, state) {
  const seed = process.env.TEST_SHUFFLE === 'tests' ? readSeed() : undefined;
  if (event.name === 'run_start' && seed !== undefined) Object.assign(state, { randomize: true, seed });
}

/** Workers, which start later, have the number that was drawn. */
function drawSeed() {
  if (process.env.TEST_SEED === 'random') process.env.TEST_SEED = String(randomInt(2 ** 31));
  return readSeed();
}

function readSeed() {
  const text = process.env.TEST_SEED;
  if (!text) return undefined;
  if (!/^\d{1,10}$/.test(text)) throw new Error('TEST_SEED is a whole number, or "random".');
  return Number(text) % 2 ** 31;
}

function shuffled(items, seed) {
  const random = randomNumbers(seed);
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [items[last], items[other]] = [items[other], items[last]];
  }
  return items;
}

/** Mulberry32: from 0 to 1. */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
