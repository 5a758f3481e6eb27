import { describe, it } from '@jest/globals';
import { restRequest } from '../security/support/random-rest-request.js';
import { compareRandomReads, RANDOM_TIMEOUT, useTwoApps } from './two-apps.js';

describe('two applications that differ only in withSqlReads', () => {
  const apps = useTwoApps();

  it('answer random reads of REST alike', () => compareRandomReads(apps, restRequest, 0.01), RANDOM_TIMEOUT);
});
