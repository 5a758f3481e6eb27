import { jestExpect } from '@jest/expect';
import { platformTurns } from '../../support/platform-turns.mjs';
import { shuffleTests } from '../../support/random-order.mjs';

/**
 * What happens at the events of Circus.
 *
 * @type {readonly import('jest-circus').Circus.EventHandler[]}
 */
export const EVENT_HANDLERS = [(event, state) => platformTurns.settle(event, state), shuffleTests, countAssertions, letGo];

/** As Jest does: how many assertions of a test passed, and those that failed without a throw. */
function countAssertions(event) {
  if (event.name === 'test_start') jestExpect.setState({ numPassingAsserts: 0, suppressedErrors: [] });
  if (event.name !== 'test_done') return;
  const { numPassingAsserts, suppressedErrors } = jestExpect.getState();
  event.test.numPassingAsserts = numPassingAsserts;
  event.test.errors.push(...suppressedErrors);
}

/** What hooks and tests have seen, their applications, is kept by whatever of Node's began in them (`AsyncLocalStorage` of Circus), e.g. by a module. */
function letGo({ name, describeBlock }) {
  if (name !== 'run_describe_finish') return;
  for (const part of [...describeBlock.hooks, ...describeBlock.tests]) Object.assign(part, { fn: undefined, asyncError: undefined });
}
