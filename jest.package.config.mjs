import base from './jest.config.mjs';

/** The suite that installs the packed package; it needs the npm registry. */
export default { ...base, roots: ['<rootDir>/test/package'], testPathIgnorePatterns: [], globalSetup: undefined };
