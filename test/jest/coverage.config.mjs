import base from '../../jest.config.mjs';
import { ROOMS } from '../mutation/rooms.mjs';

/** The branches of the rooms of `test/mutation/rooms.mjs` that unit tests and end-to-end tests reach. */
export default {
  ...base,
  collectCoverage: true,
  coverageDirectory: '<rootDir>/reports/coverage',
  coverageReporters: ['text', 'json'],
  coverageThreshold: Object.fromEntries(Object.keys(ROOMS).map((room) => [`lib/${room}/`, { branches: 95 }])),
};
