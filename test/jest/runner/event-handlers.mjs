import { jestExpect } from '@jest/expect';
import { addEventHandler, getState } from 'jest-circus';
import { platformTurns } from '../../support/platform-turns.mjs';
import { shuffleTests } from '../../support/random-order.mjs';

/** @type {readonly import('jest-circus').Circus.EventHandler[]} */
const EVENT_HANDLERS = [(event, state) => platformTurns.settle(event, state), shuffleTests, countAssertions, letGo];

/**
 * Handles the events of Circus, and the errors that nothing catches.
 *
 * @param {readonly import('jest-circus').Circus.EventHandler[]} more handlers, called after those of all runs
 */
export function handleEvents(more = []) {
  for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, blame);
  for (const handler of [...EVENT_HANDLERS, ...more]) addEventHandler(handler);
}

/** Attributes an error that nothing caught to the running test, or else to the file. */
function blame(error) {
  const { currentlyRunningTest, unhandledErrors } = getState();
  (currentlyRunningTest?.errors ?? unhandledErrors).push(error);
}

/** As Jest does: how many assertions of a test passed, and those that failed without a throw. */
function countAssertions(event) {
  if (event.name === 'test_start') jestExpect.setState({ numPassingAsserts: 0, suppressedErrors: [] });
  if (event.name !== 'test_done') return;
  const { numPassingAsserts, suppressedErrors } = jestExpect.getState();
  event.test.numPassingAsserts = numPassingAsserts;
  event.test.errors.push(...suppressedErrors);
}

/** Releases the functions of hooks and tests, with their applications. `AsyncLocalStorage` of Circus keeps them reachable from each asynchronous resource that began in one. */
function letGo({ name, describeBlock }) {
  if (name !== 'run_describe_finish') return;
  for (const part of [...describeBlock.hooks, ...describeBlock.tests]) Object.assign(part, { fn: undefined, asyncError: undefined });
}
