/**
 * Which tests reach which mutants. Stryker's instrumented code counts under `currentTestId`. What the body of a test file or a `beforeAll` reaches counts for each
 * test below it, because both run again with each mutant.
 */
export class CoverageOfTests {
  #instrumenter;
  /** Ids of tests, by the id under which the body of their file or a hook counts. */
  #testsBelow = new Map();
  /** Tests of the current file. */
  #ids = new Map();
  #body;

  constructor(instrumenter) {
    this.#instrumenter = instrumenter;
  }

  beginFile(file) {
    this.#body = `body of ${file}`;
    this.#instrumenter.currentTestId = this.#body;
  }

  /** @param {Map<string, import('jest-circus').Circus.TestEntry>} tests by their ids */
  beginTests(tests) {
    this.#ids = new Map([...tests].map(([id, test]) => [test, id]));
    this.#testsBelow.set(this.#body, [...tests.keys()]);
  }

  end() {
    this.#ids = new Map();
    this.#instrumenter.currentTestId = undefined;
  }

  /** @type {import('jest-circus').Circus.EventHandler} */
  handleEvent = ({ name, test, hook }) => {
    if (this.#ids.size === 0) return;
    if (name === 'test_start') this.#instrumenter.currentTestId = this.#ids.get(test);
    if (name === 'test_done') this.#instrumenter.currentTestId = this.#body;
    if (!hook?.type.endsWith('All')) return;
    this.#instrumenter.currentTestId = name === 'hook_start' ? this.#idOfHook(hook) : this.#body;
  };

  /** The counts by test. The remaining mutants, which only the loading of modules reaches, are static. */
  summarize() {
    const { static: whileLoading = {}, perTest: counted = {} } = this.#instrumenter.mutantCoverage ?? {};
    const perTest = {};
    for (const [id, counts] of Object.entries(counted)) {
      for (const test of this.#testsBelow.get(id) ?? [id]) addCounts((perTest[test] ??= {}), counts);
    }
    const reached = new Set(Object.values(perTest).flatMap((counts) => Object.keys(counts)));
    return { static: Object.fromEntries(Object.entries(whileLoading).filter(([mutant]) => !reached.has(mutant))), perTest };
  }

  #idOfHook({ parent }) {
    const id = `hook ${String(this.#testsBelow.size)}`;
    const below = [...this.#ids].filter(([test]) => isBelow(test, parent));
    this.#testsBelow.set(
      id,
      below.map(([, testId]) => testId),
    );
    return id;
  }
}

function addCounts(sums, counts) {
  for (const [mutant, count] of Object.entries(counts)) sums[mutant] = (sums[mutant] ?? 0) + count;
}

function isBelow({ parent }, block) {
  return parent !== undefined && (parent === block || isBelow(parent, block));
}
