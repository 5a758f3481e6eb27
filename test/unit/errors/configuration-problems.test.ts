import { checkAll } from '../../../lib/errors/check-all.js';
import { ConfigurationError } from '../../../lib/errors/configuration-error.js';

const fail = (problem: string) => () => {
  throw new ConfigurationError(problem, 'Mend it.');
};

function errorOf(check: () => void): unknown {
  try {
    check();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('checkAll', () => {
  it('returns where no check throws', () => {
    expect(() => {
      checkAll([() => 1, () => undefined]);
    }).not.toThrow();
  });

  it('throws a single problem unchanged', () => {
    const error = new ConfigurationError('a is 1.', 'Mend it.');
    const thrown = errorOf(() => {
      checkAll([
        () => {
          throw error;
        },
      ]);
    });
    expect(thrown).toBe(error);
    expect(error.problems).toEqual([]);
  });

  it('throws one error with all problems, also of nested checks, each with its remedy', () => {
    const inner = () => {
      checkAll([fail('b is 2.'), fail('c is 3.')]);
    };
    const error = errorOf(() => {
      checkAll([fail('a is 1.'), inner, fail('d is 4.')]);
    });
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as ConfigurationError).message).toBe(
      'The configuration has 4 problems. Solve each of them:\n- a is 1. Mend it.\n- b is 2. Mend it.\n- c is 3. Mend it.\n- d is 4. Mend it.',
    );
    expect((error as ConfigurationError).problems).toHaveLength(4);
  });

  it('throws any other error at once', () => {
    const bug = new TypeError('a bug');
    const thrown = errorOf(() => {
      checkAll([
        fail('a is 1.'),
        () => {
          throw bug;
        },
      ]);
    });
    expect(thrown).toBe(bug);
  });
});
