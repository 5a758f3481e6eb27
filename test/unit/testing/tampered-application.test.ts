import { type CallHandler, type ExecutionContext, type NestInterceptor, UnauthorizedException } from '@nestjs/common';
import { catchError, map, type Observable } from 'rxjs';
import { ApiError, type ApiReply } from '../../../lib/index.js';
import { sample } from '../../support/sample.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { expectSurfaces, HASH, leaksOf } from './leak-suite.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});

afterAll(() => database.close());

sample.omitted.describe('assertNoLeak reports', () => {
  it('nothing where a data client loads more than is selected, because only the selection is rendered', async () => {
    const reckless = database.prisma.$extends({
      query: { user: { findMany: ({ args, query }) => query({ ...args, select: { ...args.select, passwordHash: true } }) } },
    });
    const leaks = await leaksOf(HASH, { database, options: { getClient: () => reckless } });
    expect(leaks).toEqual([]);
  });

  it('an error text that completes a name', async () => {
    class Helpful implements NestInterceptor {
      intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
        return next.handle().pipe(
          catchError((error: Error) => {
            throw new ApiError('invalid-filter', `${error.message} Did you mean 'passwordHash'?`);
          }),
        );
      }
    }
    const leaks = await leaksOf(HASH, { database, options: { interceptors: [Helpful] } });
    expectSurfaces(
      leaks,
      [
        'REST /user?filter[passwordHas]=x',
        'REST /user?sort=passwordHas',
        'RPC user/findMany where passwordHas',
        'RPC user/create data passwordHas',
      ],
      /passwordHas\b|apiToken/,
    );
  });

  it('a given value anywhere in a response', async () => {
    class Chatty implements NestInterceptor<ApiReply, ApiReply> {
      intercept(_context: ExecutionContext, next: CallHandler<ApiReply>): Observable<ApiReply> {
        return next.handle().pipe(map((reply) => ({ ...reply, body: { ...(reply.body as object), debug: '$2b$10$hash-of-user-1' } })));
      }
    }
    const leaks = await leaksOf({ ...HASH, values: ['hash-of-user-1'] }, { database, options: { interceptors: [Chatty] } });
    expect(leaks).not.toEqual([]);
    expect(leaks.every(({ finding }) => finding.includes("with the value 'hash-of-user-1'"))).toBe(true);
  });

  it.each([
    ['a field', { fields: [{ name: 'passwordHash', rights: ['read'] }] }],
    ['a field without a right', { fields: [{ name: 'passwordHash', rights: [] }] }],
    ['a key', { keys: [{ name: 'byHash', fields: ['passwordHash'] }] }],
    ['a foreign key', { relations: [{ name: 'posts', foreignKey: ['passwordHash'] }] }],
    ['the version', { version: 'passwordHash' }],
    ['the time of deletion', { softDelete: { field: 'passwordHash' } }],
  ])('a description that names it as %s', async (_, members) => {
    class Descriptive implements NestInterceptor<ApiReply, ApiReply> {
      intercept(_context: ExecutionContext, next: CallHandler<ApiReply>): Observable<ApiReply> {
        return next.handle().pipe(
          map((reply) => {
            const { data } = reply.body as { readonly data?: { readonly models?: readonly { readonly model: string }[] } };
            const user = data?.models?.find(({ model }) => model === 'user');
            if (user) Object.assign(user, members);
            return reply;
          }),
        );
      }
    }
    const leaks = await leaksOf(HASH, { database, options: { interceptors: [Descriptive] } });
    expect(leaks).toEqual([
      { surface: 'RPC $describe', finding: 'describes it (200)' },
      { surface: 'RPC $describe/user', finding: 'describes it (200)' },
    ]);
  });

  it('that it proved nothing, where a guard refuses the caller', async () => {
    const refuse = {
      canActivate: () => {
        throw new UnauthorizedException();
      },
    };
    await expect(leaksOf(HASH, { database, options: { guards: [refuse] } })).rejects.toThrow(
      /answered 401: give 'headers' of a caller who may read User/,
    );
  });

  it('that it proved nothing, where the data client fails', async () => {
    const failing = database.prisma.$extends({
      query: {
        user: {
          findMany: () => {
            throw new Error('The network is down.');
          },
        },
      },
    });
    const proving = leaksOf(HASH, { database, options: { getClient: () => failing } });
    await expect(proving).rejects.toThrow(/^\d+ request\(s\) failed, which proves nothing about User\.passwordHash\./);
    await expect(proving).rejects.toThrow(/\n- RPC user\/findMany by default: failed with 500\n/);
  });

  it.each([
    { model: 'User', field: 'password' },
    { model: 'Userr', field: 'passwordHash' },
    { model: 'constructor', field: 'name' },
  ])('that $model.$field does not exist', async (hidden) => {
    await expect(leaksOf(hidden, { database })).rejects.toThrow(/has no field/);
  });
});
