import { describe, it } from '@jest/globals';
import { onDatabases } from '../../support/databases/this-database.js';
import { namesModel } from '../security/support/random-fields.js';
import { rpcRequest, rpcRequestOf } from '../security/support/random-rpc-request.js';
import { BOUND, compareRandomReads, NAMES, RANDOM_TIMEOUT, useTwoApps } from './two-apps.js';

describe('two applications that differ only in withSqlReads', () => {
  const apps = useTwoApps();

  it('answer random reads of RPC alike', () => compareRandomReads(apps, rpcRequest, 0.05), RANDOM_TIMEOUT);
});

describe('two such applications whose relations are called as arguments are', () => {
  const apps = useTwoApps(NAMES);

  it('answer random reads of RPC alike', () => compareRandomReads(apps, rpcRequestOf(namesModel), 0.05), RANDOM_TIMEOUT);
});

onDatabases('postgresql-server').describe('two such applications under policies', () => {
  const apps = useTwoApps(BOUND);

  it('answer random reads of RPC alike', () => compareRandomReads(apps, rpcRequest, 0.05), RANDOM_TIMEOUT);
});
