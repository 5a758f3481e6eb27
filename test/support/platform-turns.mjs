import { PROFILE } from './profile.mjs';

/**
 * The tests that a file has once for each platform (`onPlatforms`). In the profile `quick` they run on one of them, which the name of their block decides, in `ci` on the next one, and with `TEST_PLATFORM=third` on the
 * one after that. They test what is written once for all platforms, so that a fault of one shows on any. A test that one platform alone has runs there.
 */
export class PlatformTurns {
  #groups = [];
  #profile;
  #platform;

  constructor(profile = PROFILE, platform = process.env.TEST_PLATFORM) {
    this.#profile = profile;
    this.#platform = platform;
  }

  /** @param {readonly string[]} names of `describe` blocks beside each other that have the same tests */
  take(names) {
    this.#groups.push(names);
  }

  /**
   * For `handleTestEvent` of a test environment. A run with a pattern of titles runs all tests that match.
   *
   * @param {import('jest-circus').Circus.Event} event
   * @param {import('jest-circus').Circus.State} state
   */
  settle(event, state) {
    if (event.name !== 'run_start') return;
    const isDivided = this.#profile !== 'full' || this.#platform !== undefined;
    if (isDivided && !state.testNamePattern) this.#settleIn(state.rootDescribeBlock);
    this.#groups = [];
  }

  #settleIn(block) {
    const blocks = block.children.filter(({ type }) => type === 'describeBlock');
    blocks.forEach((child) => this.#settleIn(child));
    for (const names of this.#groups) {
      const twins = names.map((name) => blocks.find((child) => child.name === name));
      if (!twins.includes(undefined)) leaveTo(this.#turnIn(names), twins);
    }
    if (this.#profile === 'quick' && this.#platform === undefined) leaveOneConnect(blocks);
  }

  #turnIn(names) {
    const chosen = names.findIndex((name) => name.endsWith(`(${this.#platform})`));
    if (chosen >= 0) return chosen;
    const later = this.#platform === 'third' ? 2 : Number(this.#profile === 'ci');
    return (turnOf(names) + later) % names.length;
  }
}

/** About as many blocks for each platform, and the same ones in every run. */
function turnOf(names) {
  const sum = [...names[0]].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return sum % names.length;
}

/** Of blocks that run on each platform: Express and other connect-style applications share their code but for the registration of routes, so that `quick` has one of them beside Fastify. */
function leaveOneConnect(blocks) {
  for (const block of blocks) {
    const twin = blocks.find(({ name }) => name !== block.name && name === block.name.replace(/\bexpress\b/, 'node'));
    if (twin) leaveTo(turnOf([block.name]) % 2, [block, twin]);
  }
}

/** @param {number} turn the place of the block that keeps the tests that all of these have */
function leaveTo(turn, twins) {
  const children = twins.map(byName);
  for (const key of children[0].keys()) {
    const same = children.map((named) => named.get(key));
    if (same.includes(undefined)) continue;
    if (same[0].type === 'describeBlock') leaveTo(turn, same);
    else leaveOne(turn, same);
  }
}

function leaveOne(turn, tests) {
  for (const [index, { parent }] of tests.entries()) {
    if (index !== turn) parent.children.splice(parent.children.indexOf(tests[index]), 1);
  }
}

/** Of two tests with one name, the first is the other platform's first. */
function byName({ children }) {
  const named = new Map();
  for (const child of children) {
    let key = `${child.type} ${child.name}`;
    while (named.has(key)) key += "'";
    named.set(key, child);
  }
  return named;
}

/** Of the test file that runs. */
export const platformTurns = new PlatformTurns();
