import { describe, it } from '@jest/globals';
import { rpcRequest } from '../security/support/random-rpc-request.js';
import { compareRandomReads, RANDOM_TIMEOUT, useTwoApps } from './two-apps.js';

describe('two applications that differ only in withSqlReads', () => {
  const apps = useTwoApps();

  it('answer random reads of RPC alike', () => compareRandomReads(apps, rpcRequest, 0.05), RANDOM_TIMEOUT);
});
