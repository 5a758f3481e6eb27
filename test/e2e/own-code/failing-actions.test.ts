import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { type ActionOf, ResourceAction, ResourceActions, type RulesOption } from '../../../lib/index.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { refusalOf } from '../rest/write-suite.js';

@ResourceActions('Post')
class PostActions {
  @ResourceAction()
  hide({ record, client }: ActionOf<PrismaClient, 'Post'>): Promise<unknown> {
    return client.post.update({ where: { id: record.id }, data: { title: 'hidden' } });
  }

  @ResourceAction({ on: 'collection' })
  misspell({ client }: ActionOf<PrismaClient, 'Post'>): Promise<unknown> {
    return client.$queryRawUnsafe('SELECT * FROM no_such_table');
  }

  @ResourceAction({ on: 'collection' })
  repeat({ client }: ActionOf<PrismaClient, 'Post'>): Promise<unknown> {
    return client.user
      .create({ data: { email: 'ada@example.com', name: 'Ada', passwordHash: '' } })
      .then(({ email, name }) => client.user.create({ data: { email, name, passwordHash: '' } }));
  }
}

@Module({ providers: [PostActions] })
class ApplicationModule {}

/** Posts with the title `hidden` may be written, but not read. */
const RULES: RulesOption = { 'Post': { 'read': { title: { not: 'hidden' } }, '*': true }, '*': true };

onPlatforms('actions that fail', (platform) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
    await database.reset();
  });
  let app: TestApp;
  const start = async (options: { readonly rules?: RulesOption }): Promise<void> => {
    app = await startTestApp({ platform, database, options, imports: [ApplicationModule] });
  };
  afterEach(() => app.close());
  afterAll(() => database.close());

  it('answer with 403 and roll back if they return a record that the caller may not read', async () => {
    await start({ rules: RULES });
    const { error, status } = await app.rpc.call('post/hide', { where: { id: 1 } }, { method: 'POST' });
    expect([status, error]).toEqual([403, { message: expect.stringContaining('nothing is written'), rejectedByPolicy: true }]);
    const rest = await app.rest.request('POST', '/post/1/hide');
    expect([rest.status, rest.errors[0]?.code, rest.errors[0]?.meta]).toEqual([403, 'forbidden', undefined]);
    expect(await database.prisma.post.count({ where: { title: 'hidden' } })).toBe(0);
  });

  it('send Allow with POST for any other method of their path', async () => {
    await start({});
    for (const [method, path, allowed] of [
      ['DELETE', '/post/1/hide', 'GET, HEAD, PATCH, PUT, QUERY, POST'],
      ['QUERY', '/post/repeat', 'GET, HEAD, PATCH, PUT, DELETE, POST'],
    ] as const) {
      const { status, headers, errors } = await app.rest.request(method, path);
      const detail = `${method} is not allowed here; ${allowed} are.`;
      expect([status, headers['allow'], errors[0]?.detail]).toEqual([405, allowed, detail]);
      expect((await app.rest.request('OPTIONS', path)).headers['allow']).toBe(allowed);
    }
  });

  it('answer with 500 for invalid SQL of their method, and with 409 for a unique conflict', async () => {
    await start({});
    expect((await app.rpc.call('post/misspell', {}, { method: 'POST' })).status).toBe(500);
    expect(refusalOf(await app.rest.request('POST', '/post/misspell'))).toEqual([500, 'unknown-error nowhere']);
    // A client can cause a conflict, so that it remains an error of the client.
    expect(refusalOf(await app.rest.request('POST', '/post/repeat'))).toEqual([409, 'unique-conflict nowhere']);
  });
});
