import { Logger } from '@nestjs/common';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { logLostConnections } from '../../../lib/sql/log-lost-connections.js';

/** A pool that emits the events of `pg.Pool`. */
class FakePool extends EventEmitter {
  readonly connect = (): Promise<never> => Promise.reject(new Error('not used'));
}

describe('logLostConnections', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const lost = Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' });

  it('logs one line with the cause and the host name, and counts the connections lost within a second', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    const pool = new FakePool();
    logLostConnections(pool);
    logLostConnections(pool);
    for (let index = 0; index < 10; index++) pool.emit('error', lost, { host: 'db.internal', port: 5432 });
    now.mockReturnValue(2000);
    pool.emit('error', lost, undefined);
    expect(warn.mock.calls).toEqual([
      ['The pool has lost a connection to db.internal:5432: terminating connection due to administrator command.'],
      [
        'The pool has lost a connection to the database: terminating connection due to administrator command. 9 more were lost since the last line.',
      ],
    ]);
  });

  it('listens to each connection once, before the caller of connect() can', () => {
    const pool = new FakePool();
    logLostConnections(pool);
    const connection = new EventEmitter();
    for (let index = 0; index < 20; index++) pool.emit('acquire', connection);
    expect(connection.listenerCount('error')).toBe(1);
    expect(connection.emit('error', lost)).toBe(true);
  });

  it('accepts a pool without events', () => {
    expect(() => {
      logLostConnections({ connect: () => Promise.reject(lost) });
    }).not.toThrow();
  });
});
