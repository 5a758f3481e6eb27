import { describe, expect, it } from '@jest/globals';
import { transact, type TransactOptions } from '../../../lib/executor/transactions.js';
import { Deadline } from '../../../lib/executor/deadline.js';
import { prismaExecutor } from '../../../lib/executor/prisma-executor.js';
import { ApiError } from '../../../lib/errors/api-error.js';
import { FailedCallError } from '../../../lib/errors/failed-call-error.js';
import { UnknownOutcomeError } from '../../../lib/errors/unknown-outcome-error.js';

const LOST = new Error('Connection terminated unexpectedly');

/** A client whose `COMMIT` fails, or that has no transactions at all. */
function clientFailing(atCommit: unknown): object {
  return {
    $transaction: async (work: (open: object) => Promise<unknown>) => {
      await work({});
      throw atCommit;
    },
  };
}

const run = (client: object, rules: TransactOptions, work: () => Promise<unknown> = () => Promise.resolve('done')): Promise<unknown> =>
  transact(prismaExecutor(client), work, rules);

describe('a transaction', () => {
  it.each([
    ['the connection is lost', LOST],
    ['the client accepts no more queries', new Error('Client has encountered a connection error and is not queryable')],
    ['the database does not answer', Object.assign(new Error('x'), { code: 'P1008' })],
    ['the server ends the connection', Object.assign(new Error('x'), { code: '57P01' })],
    ['the server ends it, as an adapter says so', Object.assign(new Error('x'), { code: 'P2039', cause: { originalCode: '57P02' } })],
    ['the server has lost it', Object.assign(new Error('x'), { code: '08006' })],
    ['the error has no code', new Error('?')],
  ])('throws UnknownOutcomeError for a write whose COMMIT fails as %s', async (_, cause) => {
    await expect(run(clientFailing(cause), { isWrite: true })).rejects.toEqual(new UnknownOutcomeError(cause));
    await expect(run(clientFailing(cause), { isWrite: true })).rejects.toMatchObject({ cause });
  });

  it.each([
    ['a deferred constraint', Object.assign(new Error('x'), { cause: { originalCode: '23505' } })],
    ['the time of the transaction', Object.assign(new Error('x'), { code: 'P2028' })],
  ])('throws the error of the database where %s fails its COMMIT', async (_, cause) => {
    await expect(run(clientFailing(cause), { isWrite: true })).rejects.toBe(cause);
  });

  it('throws the error of a failed COMMIT where the transaction only reads', async () => {
    await expect(run(clientFailing(LOST), {})).rejects.toBe(LOST);
  });

  it('throws the error of its work where that fails', async () => {
    const client = { $transaction: (work: (open: object) => Promise<unknown>) => work({}) };
    await expect(run(client, { isWrite: true }, () => Promise.reject(LOST))).rejects.toBe(LOST);
  });

  it('throws UnknownOutcomeError for a write outside of a transaction whose connection is lost', async () => {
    await expect(run({}, { isWrite: true }, () => Promise.reject(LOST))).rejects.toEqual(new UnknownOutcomeError(LOST));
    const ended = Object.assign(new Error('x'), { code: 'P2039', cause: { originalCode: '57P01' } });
    for (const cause of [LOST, ended]) {
      const failed = new FailedCallError(0, cause);
      await expect(run({}, { isWrite: true }, () => Promise.reject(failed))).rejects.toEqual(new UnknownOutcomeError(failed));
    }
    const broken = Object.assign(new Error('x'), { code: 'P2002' });
    await expect(run({}, { isWrite: true }, () => Promise.reject(broken))).rejects.toBe(broken);
  });

  it('is rolled back where the client has disconnected', async () => {
    const outcomes: string[] = [];
    const client = {
      $transaction: (work: (open: object) => Promise<unknown>) =>
        work({}).then(
          () => outcomes.push('COMMIT'),
          (error: unknown) => {
            outcomes.push('ROLLBACK');
            throw error;
          },
        ),
    };
    const gone = new ApiError('unavailable', 'Gone.');
    const deadline = new Deadline({
      isGone: () => {
        throw gone;
      },
    });
    await expect(run(client, { isWrite: true, deadline })).rejects.toBe(gone);
    expect(outcomes).toEqual(['ROLLBACK']);
  });
});
