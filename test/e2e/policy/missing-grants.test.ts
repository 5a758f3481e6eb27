import { Logger, Module } from '@nestjs/common';
import { jest } from '@jest/globals';
import { type ActionOf, ResourceAction, ResourceActions } from 'nestjs-resource-api';
import type { PrismaClient } from '../../../sample/blog/src/generated/prisma/client.js';
import { type BlogApp, startBlogApp } from './blog-app.js';
import { type BlogDatabase, openBlogDatabase } from './blog-database.js';
import { ENGINES } from './engines.js';

@ResourceActions('Post')
class PostActions {
  @ResourceAction({ on: 'collection' })
  countTags({ client }: ActionOf<PrismaClient, 'Post'>): Promise<number> {
    return client.tag.count();
  }
}

@Module({ providers: [PostActions] })
class ActionsModule {}

describe.each(ENGINES)('a missing GRANT on %s', (engine) => {
  let database: BlogDatabase;
  let app: BlogApp | undefined;
  let warned: jest.SpiedFunction<typeof Logger.prototype.warn>;

  beforeAll(async () => {
    database = await openBlogDatabase(engine);
    await database.prisma.$executeRawUnsafe('REVOKE SELECT ON "Tag" FROM blog_app');
  }, 60_000);
  beforeEach(() => {
    warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  });
  afterEach(async () => {
    warned.mockRestore();
    await app?.close();
    app = undefined;
  });
  afterAll(() => database.close());

  const warnings = (): readonly unknown[] => warned.mock.calls.map(([text]) => text).filter((text) => String(text).includes('403'));
  const WARNING = 'A request was answered 403: permission denied for table Tag. GRANT it to the role "blog_app".';

  it('is a 403 without the message of the database, and a logged warning that names the table and the role', async () => {
    app = await startBlogApp(database.prisma);
    const rest = await app.as(1).rest('GET', '/tag');
    const rpc = await app.as(1).rpc('tag/findMany');
    expect([rest.status, rpc.status]).toEqual([403, 403]);
    expect(rest.text + rpc.text).not.toMatch(/permission|blog_app/);
    expect(warnings()).toEqual([WARNING, WARNING]);
  });

  it('is the same 403 and warning in an action', async () => {
    app = await startBlogApp(database.prisma, undefined, [ActionsModule]);
    const { status, text } = await app.as(1).rest('POST', '/post/countTags');
    expect(status).toBe(403);
    expect(text).not.toMatch(/permission|blog_app/);
    expect(warnings()).toEqual([WARNING]);
  });

  // PGlite has one connection, so that all requests share its role.
  const itOnOneConnection = engine === 'PGlite' ? it : it.skip;

  itOnOneConnection('is logged with the current role of the connection if the client is not bound to a role', async () => {
    await database.prisma.$executeRawUnsafe('SET ROLE blog_app');
    try {
      app = await startBlogApp(database.prisma, () => database.prisma);
      expect((await app.as(1).rpc('tag/count')).status).toBe(403);
      await until(() => warnings().length > 0);
      expect(warnings()).toEqual([WARNING]);
    } finally {
      await database.prisma.$executeRawUnsafe('RESET ROLE');
    }
  });
});

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 100 && !condition(); tries++) await new Promise((resolve) => setTimeout(resolve, 20));
}
