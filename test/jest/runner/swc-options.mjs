/**
 * How TypeScript is compiled for tests.
 *
 * @type {import('@swc/core').Options}
 */
export const SWC_OPTIONS = {
  swcrc: false,
  configFile: false,
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
  module: { type: 'es6' },
};
