import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import {
  type ActionOf,
  AfterCommit,
  type AfterCommitOf,
  AfterWrite,
  type AfterWriteOf,
  ResourceAction,
  ResourceActions,
  ResourceHooks,
} from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

const events: string[] = [];

@ResourceHooks('Post')
class PostHooks {
  @AfterWrite('update')
  after({ key, changed }: AfterWriteOf<PrismaClient, 'Post', unknown, 'update'>): void {
    events.push(`after ${String(key['id'])}: ${changed.filter((name) => name !== 'updatedAt').join(' ')}`);
  }

  @AfterCommit('update')
  committed({ rows }: AfterCommitOf<PrismaClient, 'Post', unknown, 'update'>): void {
    events.push(`committed ${rows.map(({ id }) => id).join()}`);
  }
}

@ResourceActions('Post')
class PostActions {
  @ResourceAction()
  async failInSql({ record, client }: ActionOf<PrismaClient, 'Post'>): Promise<{ stored: boolean }> {
    await client.post.update({ where: { id: record.id }, data: { title: 'not stored' } });
    await client.$executeRawUnsafe('SELECT nothing FROM nowhere').catch(() => undefined);
    return { stored: true };
  }

  @ResourceAction()
  async findMissing({ record, client }: ActionOf<PrismaClient, 'Post'>): Promise<{ stored: boolean }> {
    await client.post.update({ where: { id: record.id }, data: { title: 'stored' } });
    await client.post.findUniqueOrThrow({ where: { id: -1 } }).catch(() => undefined);
    return { stored: true };
  }
}

@Module({ providers: [PostHooks, PostActions] })
class HooksModule {}

@Module({ providers: [PostActions] })
class ActionsModule {}

onPlatforms('hooks around a write of several statements', (platform) => {
  let database: TestDatabase;
  let app: TestApp;
  let hookless: TestApp;
  beforeAll(async () => {
    database = await openTestDatabase();
    const options = { resources: { Post: { version: 'viewCount' } } } as const;
    app = await startTestApp({ platform, database, options, imports: [HooksModule] });
    hookless = await startTestApp({ platform, database, imports: [ActionsModule] });
  });
  beforeEach(async () => {
    await database.reset();
    events.length = 0;
  });
  afterAll(async () => {
    await app.close();
    await hookless.close();
    await database.close();
  });

  const titleOf = async (id: number): Promise<string> => (await database.prisma.post.findUniqueOrThrow({ where: { id } })).title;

  it('receive one update of a record whose version is compared and incremented, with the version among the changes', async () => {
    const etag = String((await app.rest.get('/post/1')).headers['etag']);
    const data = { type: 'post', id: 1, attributes: { title: 'New' }, relationships: { tags: { data: [{ type: 'tag', id: 1 }] } } };
    expect((await app.rest.patch('/post/1', { data }, { 'If-Match': etag })).status).toBe(200);
    expect(events).toEqual(['after 1: title viewCount', 'committed 1']);
  });

  it('receive one update of a row that is linked from the other side of the relation', async () => {
    await database.prisma.post.update({ where: { id: 5 }, data: { categoryId: null } });
    const call = await app.rpc.call('category/update', { where: { id: 1 }, data: { posts: { connect: { id: 5 } } } });
    expect(call.status).toBe(200);
    expect(events).toEqual(['after 5: viewCount categoryId', 'committed 5']);
  });

  it('receive one update of a row that is listed twice in set', async () => {
    await database.prisma.post.update({ where: { id: 5 }, data: { categoryId: null } });
    await database.prisma.post.updateMany({ where: { id: { not: 5 }, categoryId: 1 }, data: { categoryId: null } });
    const call = await app.rpc.call('category/update', { where: { id: 1 }, data: { posts: { set: [{ id: 5 }, { id: 5 }] } } });
    expect(call.status).toBe(200);
    expect(events).toEqual(['after 5: viewCount categoryId', 'committed 5']);
  });

  it.each(['with hooks', 'without'])(
    'do not run after an action that catches the error of a failed statement: it is rolled back and answered with an error, %s',
    async (name) => {
      const before = await titleOf(1);
      const { status } = await (name === 'without' ? hookless : app).rest.post('/post/1/failInSql', {});
      expect(status).toBeGreaterThanOrEqual(400);
      expect(await titleOf(1)).toBe(before);
      expect(events.filter((text) => text.startsWith('committed'))).toEqual([]);
    },
  );

  it.each(['with hooks', 'without'])('run after an action that catches the error of findUniqueOrThrow: it commits, %s', async (name) => {
    const { status } = await (name === 'without' ? hookless : app).rest.post('/post/1/findMissing', {});
    expect(status).toBe(200);
    expect(await titleOf(1)).toBe('stored');
    expect(events.includes('committed 1')).toBe(name !== 'without');
  });
});
