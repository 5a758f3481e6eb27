import { describe, it } from '@jest/globals';
import { onDatabases } from '../../support/databases/this-database.js';
import { namesModel } from '../security/support/random-fields.js';
import { rpcRequest, rpcRequestOf } from '../security/support/random-rpc-request.js';
import { BOUND, compareRandomReads, NAMES, RANDOM_TIMEOUT, useTwoApps } from './two-apps.js';

describe('two applications that differ only in withSqlReads', () => {
  const apps = useTwoApps();

  it('return the same responses to random reads of RPC', () => compareRandomReads(apps, rpcRequest, 0.05), RANDOM_TIMEOUT);
});

describe('two such applications whose relations have the names of arguments', () => {
  const apps = useTwoApps(NAMES);

  it('return the same responses to random reads of RPC', () => compareRandomReads(apps, rpcRequestOf(namesModel), 0.05), RANDOM_TIMEOUT);
});

onDatabases('postgresql-server').describe('two such applications under policies', () => {
  const apps = useTwoApps(BOUND);

  it('return the same responses to random reads of RPC', () => compareRandomReads(apps, rpcRequest, 0.05), RANDOM_TIMEOUT);
});
