import { ConfigurationError } from '../../../lib/errors/configuration-error.js';
import { explainBindingError } from '../../../lib/row-level-security/binding-statement.js';

describe('explainBindingError', () => {
  const prismaError = (originalCode: string): Error =>
    Object.assign(new Error('Raw query failed.'), { code: 'P2010', meta: { driverAdapterError: { cause: { originalCode } } } });

  it.each(['22023', '42501', '42602', '42704', '55P02'])('throws a configuration error for %s, with the cause', (code) => {
    const error = prismaError(code);
    expect(explainBindingError(error)).toBeInstanceOf(ConfigurationError);
    expect(explainBindingError(error)).toHaveProperty('cause', error);
  });

  it.each([prismaError('57P01'), new Error('connect ECONNREFUSED'), null, 'text'])('returns any other error unchanged: %s', (error) => {
    expect(explainBindingError(error)).toBe(error);
  });
});
