import base from '../../jest.config.mjs';

/** The least coverage of rooms by branches, in percent. */
const LEAST = { 'wire': 95, 'rpc/arguments': 95, 'model/exposure': 95, 'rest/parse': 94, 'rules': 87 };

/** The branches of the rooms of `test/mutation/rooms.mjs` that unit tests and end-to-end tests reach. */
export default {
  ...base,
  collectCoverage: true,
  coverageDirectory: '<rootDir>/reports/coverage',
  coverageReporters: ['text', 'json'],
  coverageThreshold: Object.fromEntries(Object.entries(LEAST).map(([room, branches]) => [`lib/${room}/`, { branches }])),
};
