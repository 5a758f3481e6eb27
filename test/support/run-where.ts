/** `it` and `describe`, or those that skip. */
export interface Chosen {
  readonly it: jest.It;
  readonly describe: jest.Describe;
}

/**
 * Returns `it` and `describe` where `runs`, else those that skip.
 *
 * @param lacking what the run lacks: a suite that is skipped has it in its name
 */
export function runWhere(runs: boolean, lacking: string): Chosen {
  return runs ? { it, describe } : { it: it.skip, describe: skipping(lacking) };
}

function skipping(lacking: string): jest.Describe {
  const skip = (name: string, tests: () => void): void => {
    describe.skip(`${name} (skipped: ${lacking})`, tests);
  };
  return Object.assign(skip, describe.skip);
}
