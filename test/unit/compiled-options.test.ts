import { ConfigurationError } from '../../lib/errors/configuration-error.js';
import { DEFAULT_LIMITS, type Limits } from '../../lib/model/limits.js';
import { compileOptions } from '../../lib/resource-api.compiled-options.js';
import { registrationOf } from '../../lib/resource-api.module-definition.js';
import { ID, modelOf, schemaOf } from './model/schema-builder.js';

const schema = schemaOf({ Post: modelOf({ id: ID }) });

/** Options come from plain JavaScript, too. */
function limitsOf(limits: Readonly<Record<string, unknown>>): Limits {
  const options = { schema, getClient: () => ({}), rpc: true, limits: limits as Partial<Limits> } as const;
  return compileOptions(options, registrationOf(options, {})).limits;
}

describe('the option limits', () => {
  it.each(['1mb', '500kb', '1.5 MB', '2048', '100b', '1gb', 2048, Infinity])('takes %p for maxBodySize', (maxBodySize) => {
    expect(limitsOf({ maxBodySize })).toEqual({ ...DEFAULT_LIMITS, maxBodySize });
  });

  it.each([
    '1 mbb',
    '1m',
    'mb',
    '',
    '-1mb',
    '0mb',
    '0',
    '1.5',
    '0.5b',
    '1e3',
    '1,5mb',
    ' 1mb',
    'Infinity',
    '1mb; drop',
    0,
    -1,
    NaN,
    null,
    true,
    [1],
    {},
  ])('refuses %p for maxBodySize at boot', (maxBodySize) => {
    expect(() => limitsOf({ maxBodySize })).toThrow(ConfigurationError);
    expect(() => limitsOf({ maxBodySize })).toThrow(/^limits\.maxBodySize is .* It must be a positive number of bytes/);
  });

  it.each([0, -1, 1.5, NaN, '10', null, true, [10], {}])('refuses %p for a limit that is a number', (maxTake) => {
    expect(() => limitsOf({ maxTake })).toThrow(/^limits\.maxTake is .* A limit must be a positive integer, or Infinity\.$/);
  });

  it('takes an integer or Infinity for a limit that is a number', () => {
    expect(limitsOf({ maxTake: 5, maxDepth: Infinity })).toEqual({ ...DEFAULT_LIMITS, maxTake: 5, maxDepth: Infinity });
  });

  it('keeps the default of one that is undefined', () => {
    expect(limitsOf({ maxTake: undefined, maxBodySize: undefined })).toEqual(DEFAULT_LIMITS);
  });

  it.each(['maxtake', 'constructor', '__proto__x'])("refuses an unknown '%s'", (name) => {
    expect(() => limitsOf({ [name]: 1 })).toThrow(`limits names '${name}'.`);
  });
});

describe('the page size', () => {
  const ENDPOINT = 'http://localhost/api';
  const pageSizeOf = (rest: { readonly pageSize?: number }, limits: Partial<Limits>): number | undefined => {
    const options = { schema, getClient: () => ({}), rest: { endpoint: ENDPOINT, ...rest }, limits } as const;
    return compileOptions(options, registrationOf(options, {})).rest?.pageSize;
  };

  it.each([
    [{}, {}, 100],
    [{}, { maxTake: 50 }, 50],
    [{}, { maxTake: Infinity }, 100],
    [{ pageSize: 50 }, { maxTake: 50 }, 50],
    [{ pageSize: Infinity }, { maxTake: 50 }, Infinity],
  ])('of %j under the limits %j is %d', (rest, limits, expected) => {
    expect(pageSizeOf(rest, limits)).toBe(expected);
  });

  it('is refused where no call may return so many rows', () => {
    const tooMany = (): unknown => pageSizeOf({ pageSize: 51 }, { maxTake: 50 });
    expect(tooMany).toThrow(ConfigurationError);
    expect(tooMany).toThrow('rest.pageSize (51) is over limits.maxTake (50).');
  });
});

describe('the option resources', () => {
  it.each([null, false, ''])('is not taken for absent where it is %p: that would open everything', (resources) => {
    const options = { schema, getClient: () => ({}), rpc: true, resources: resources as never } as const;
    expect(() => compileOptions(options, registrationOf(options, {}))).toThrow(
      /^resources is .* Set it to an object of options by model\.$/,
    );
  });
});
