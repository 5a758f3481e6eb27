import { ConsoleLogger, type DynamicModule } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ConfigurationError } from '../../../lib/errors/configuration-error.js';
import { DEFAULT_LIMITS, type Limits } from '../../../lib/model/limits.js';
import { compileOptions } from '../../../lib/module/compile-options.js';
import { registrationOf } from '../../../lib/options/registration.js';
import { ResourceApiModule } from '../../../lib/module/resource-api.module.js';
import type { ResourceApiAsyncOptions, ResourceApiFactoryOptions } from '../../../lib/options/resource-api-options.js';
import { ID, modelOf, schemaOf } from '../model/schema-builder.js';

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
    expect(() => limitsOf({ maxBodySize })).toThrow(/^limits\.maxBodySize is .* Set it to a positive number of bytes/);
  });

  it.each([0, -1, 1.5, NaN, '10', null, true, [10], {}])('refuses %p for a limit that is a number', (maxTake) => {
    expect(() => limitsOf({ maxTake })).toThrow(/^limits\.maxTake is .* Set it to a positive integer, or Infinity\.$/);
  });

  it('takes an integer or Infinity for a limit that is a number', () => {
    expect(limitsOf({ maxTake: 5, maxDepth: Infinity })).toEqual({ ...DEFAULT_LIMITS, maxTake: 5, maxDepth: Infinity });
  });

  it('keeps the default of one that is undefined', () => {
    expect(limitsOf({ maxTake: undefined, maxBodySize: undefined })).toEqual(DEFAULT_LIMITS);
  });

  it.each(['maxtake', 'constructor', '__proto__x'])("refuses an unknown '%s'", (name) => {
    expect(() => limitsOf({ [name]: 1 })).toThrow(`limits names '${name}', which is no option here.`);
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
  it.each([null, false, ''])('is refused where it is %p, because an absent one would expose everything', (resources) => {
    // The types refuse them; plain JavaScript does not.
    const options = { schema, getClient: () => ({}), rpc: true, resources: resources as never } as const;
    expect(() => compileOptions(options, registrationOf(options, {}))).toThrow(
      /^resources is .* Set it to an object of options by model\.$/,
    );
  });
});

/** Returns the error of the boot with a module of `forRoot` or `forRootAsync`. */
async function bootError(module: DynamicModule): Promise<unknown> {
  const boot = Test.createTestingModule({ imports: [module] }).setLogger(new ConsoleLogger({ logLevels: [] }));
  return boot.compile().then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('the options of forRoot', () => {
  const errorOf = async (more: object): Promise<unknown> => {
    try {
      return await bootError(ResourceApiModule.forRoot({ schema, getClient: () => ({}), ...more }));
    } catch (error) {
      return error;
    }
  };
  const rest = { prefix: 'rest', endpoint: 'http://localhost/rest' };

  it.each<[options: object, message: string | RegExp]>([
    [{ resourses: {} }, "forRoot names 'resourses', which is no option here. Did you mean 'resources'?"],
    [{ useFactory: () => ({}) }, /^forRoot names 'useFactory', which is no option here\. The options are 'schema', /],
    [{ rest: { ...rest, maxpageSize: 5 } }, "rest names 'maxpageSize', which is no option here. Did you mean 'maxPageSize'?"],
    [{ rest: true }, "rest is 'true'. Set it to an object."],
    [{ rest: null }, "rest is 'null'. Set it to an object."],
    [{ rest: { ...rest, prefix: 5 } }, "rest.prefix is '5'. Set it to a string."],
    [{ rest: { ...rest, endpoint: new URL(rest.endpoint) } }, "rest.endpoint is 'http://localhost/rest'. Set it to a string."],
    [{ rest: { ...rest, count: 'None' } }, "rest.count is 'None'. Did you mean 'none'?"],
    [{ rest: { ...rest, count: false } }, "rest.count is 'false'. It may be 'exact', 'none', 'estimated'."],
    [{ rest: { ...rest, strict: 'no' } }, "rest.strict is 'no'. Set it to true or false."],
    [{ rest: { ...rest, pageSize: '10' } }, "rest.pageSize is '10'. Set it to a positive integer, or Infinity."],
    [
      { rest: { ...rest, pageSize: 20, maxPageSize: 10, strict: 'no' } },
      /has 2 problems[^]*- rest\.strict is 'no'[^]*- rest\.pageSize \(20\) is over rest\.maxPageSize \(10\)/,
    ],
    [{ rest: { ...rest, idDivider: 5 } }, "rest.idDivider is '5'. Set it to a string."],
    [{ rest: { ...rest, idDivider: ',' } }, /^rest\.idDivider ',' cannot join ids\. Use characters that .* separate no lists/],
    [{ rest: { ...rest, idDivider: '_,' } }, /^rest\.idDivider '_,' cannot join ids\./],
    [{ rpc: { byte: 'base64' } }, "rpc names 'byte', which is no option here. Did you mean 'bytes'?"],
    [{ rpc: { bytes: 'x' } }, "rpc.bytes is 'x'. It may be 'base64', 'typed-array'."],
    [{ rpc: 'yes' }, "rpc is 'yes'. Set it to an object."],
    [{ guards: 'AuthGuard' }, "guards is 'AuthGuard'. Set it to an array."],
    [{ isGlobal: 'yes' }, "isGlobal is 'yes'. Set it to true or false."],
    [{ getClient: {} }, "getClient is '[object Object]'. Set it to a function."],
    [{ mapError: {} }, "mapError is '[object Object]'. Set it to a function."],
    [{ limits: null }, "limits is 'null'. Set it to an object."],
    [{ resources: undefined }, "resources is 'undefined'. Set it to an object of options by model."],
    [{ resources: null }, "resources is 'null'. Set it to an object of options by model."],
  ])('refuses %p at boot', async (options, message) => {
    const error = await errorOf(options);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as Error).message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  });

  it.each([
    { rest, rpc: true },
    {
      rest: { ...rest, pageSize: 5, maxPageSize: 10, strict: true, idDivider: '--', count: 'none' },
      rpc: { prefix: 'rpc', bytes: 'typed-array' },
    },
    { rest: undefined, rpc: undefined, limits: undefined, mapError: undefined, guards: [], isGlobal: false },
  ])('takes %p', async (options) => {
    await expect(errorOf(options)).resolves.toBeUndefined();
  });
});

describe('the options of forRootAsync', () => {
  const made = { schema, getClient: () => ({}) };
  const errorOf = async (given: object, fromFactory: object): Promise<unknown> => {
    const options = { useFactory: () => Promise.resolve(fromFactory), ...given } as ResourceApiAsyncOptions;
    try {
      return await bootError(ResourceApiModule.forRootAsync(options));
    } catch (error) {
      return error;
    }
  };

  it.each<[given: object, fromFactory: object, message: string]>([
    [{ schema }, made, "forRootAsync names 'schema', which is no option here."],
    [
      { rest: { endpoint: 'http://localhost' } },
      made,
      "rest names 'endpoint', which is no option here. The options are 'prefix', 'operations'.",
    ],
    [{ rpc: { bytes: 'base64' } }, made, "rpc names 'bytes', which is no option here."],
    [{}, { ...made, guards: [] }, "The factory of forRootAsync names 'guards', which is no option here."],
    [{}, { ...made, rpc: { prefix: 'x' } }, "rpc names 'prefix', which is no option here. The options are 'bytes', 'describe'."],
    [{}, { ...made, resources: undefined }, "resources is 'undefined'."],
    [{}, { ...made, rpc: { bytes: 'x' } }, "rpc.bytes is 'x'. It may be 'base64', 'typed-array'."],
    [{}, { ...made, rest: { endpoint: 'http://localhost' } }, 'The factory gives options of rest, which has no routes.'],
  ])('refuses %p with %p', async (given, fromFactory, message) => {
    const error = await errorOf(given, fromFactory);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as Error).message).toContain(message);
  });

  it('takes what a class makes, and checks it', async () => {
    class Options {
      constructor(private readonly more: object = {}) {}
      createResourceApiOptions(): ResourceApiFactoryOptions {
        return { ...made, ...this.more };
      }
    }
    class Wrong extends Options {
      constructor() {
        super({ limit: {} });
      }
    }
    await expect(errorOf({ useFactory: undefined, useClass: Options }, {})).resolves.toBeUndefined();
    await expect(errorOf({ useFactory: undefined, useClass: Wrong }, {})).resolves.toHaveProperty(
      'message',
      "The factory of forRootAsync names 'limit', which is no option here. Did you mean 'limits'?",
    );
  });
});
