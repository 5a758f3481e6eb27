import { ConflictException, Module } from '@nestjs/common';
import { z } from 'zod';
import { createRpcClient, type ExposedBy, type RpcClient } from '../../../lib/client/index.js';
import { type ActionOf, ResourceAction, ResourceActions } from '../../../lib/index.js';
import { type InvalidatedClient, mutationOptions } from '../../../lib/tanstack-query/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

const Note = z.object({ note: z.string(), at: z.iso.datetime().optional() });

@ResourceActions('Post')
class PostActions {
  @ResourceAction({ body: Note })
  publish({ record, body, client }: ActionOf<PrismaClient, 'Post', z.infer<typeof Note>>) {
    if (body.note === '') throw new ConflictException('Say something.');
    return client.post.update({ where: { id: record.id }, data: { published: true, content: body.note } });
  }

  @ResourceAction({ on: 'collection', right: 'read' })
  async newest({ client }: ActionOf<PrismaClient, 'Post'>) {
    const { createdAt } = await client.post.findFirstOrThrow({ orderBy: { createdAt: 'desc' } });
    return { createdAt };
  }

  @ResourceAction()
  touch(_: ActionOf<PrismaClient, 'Post'>): void {
    return undefined;
  }
}

@Module({ providers: [PostActions] })
class ApplicationModule {}

const resources = { Post: { softDelete: 'publishedAt' } } as const;

onPlatforms('the typed client calls actions', (platform) => {
  let database: TestDatabase;
  let app: TestApp;
  let api: RpcClient<PrismaClient, ExposedBy<typeof resourceSchema, typeof resources>, { Post: PostActions }>;
  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform, database, options: { resources }, imports: [ApplicationModule] });
    api = createRpcClient({ endpoint: `${app.url}/api/rpc` });
  });
  beforeEach(async () => {
    await database.reset();
    await database.prisma.post.updateMany({ data: { publishedAt: null } });
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  it('on a record, and returns its row', async () => {
    const post = await api.post.publish({ where: { id: 1 }, args: { note: 'Ä & "ö"' } });
    expect(post).toMatchObject({ id: 1, published: true, content: 'Ä & "ö"', createdAt: expect.any(Date) as Date });
    expect(await api.post.touch({ where: { id: 1 } })).toBeNull();
  });

  it('on the collection, and returns their data', async () => {
    const { createdAt } = await api.post.newest();
    expect(new Date(createdAt).toISOString()).toBe(createdAt);
  });

  it('when they are awaited, with the headers of $with, and rejects with the same errors as other calls', async () => {
    const unsent = api.post.publish({ where: { id: 1 }, args: { note: 'later' } });
    expect(await database.prisma.post.count({ where: { content: 'later' } })).toBe(0);
    await unsent;
    expect(await database.prisma.post.count({ where: { content: 'later' } })).toBe(1);
    const refused = api.$with({ headers: { 'x-trace': '1' } }).post.publish({ where: { id: 1 }, args: { note: '' } });
    await expect(refused).rejects.toMatchObject({ status: 409, message: 'Say something.' });
    await expect(api.post.touch({ where: { id: 999 } })).rejects.toMatchObject({ status: 404 });
    await expect(api.$transaction([api.post.touch({ where: { id: 1 } })])).rejects.toMatchObject({ status: 400 });
  });

  it('that are unknown, and rejects with the error of the server', async () => {
    // The types have no such actions.
    const post = api.post as unknown as Readonly<Record<string, () => Promise<unknown>>>;
    await expect(post['fidnMany']?.()).rejects.toMatchObject({ status: 400 });
  });

  it('and restores soft-deleted records', async () => {
    await api.post.delete({ where: { id: 1 } });
    expect(await api.post.findUnique({ where: { id: 1 } })).toBeNull();
    expect(await api.post.restore({ where: { id: 1 } })).toMatchObject({ id: 1, publishedAt: null });
    await expect(api.post.restore({ where: { id: 1 } })).rejects.toMatchObject({ status: 404 });
  });

  it('as mutations of TanStack Query, which invalidate all queries', async () => {
    const outOfDate: string[] = [];
    const queryClient: InvalidatedClient = {
      invalidateQueries: ({ predicate }) => {
        const models = ['post', 'user', 'orderLine'];
        outOfDate.push(...models.filter((model) => predicate({ queryKey: ['resource-api', model, 'findMany', {}] })));
        return Promise.resolve();
      },
    };
    const publish = (note: string) => api.post.publish({ where: { id: 1 }, args: { note } });
    const { mutationFn } = mutationOptions(publish, { queryClient, schema: resourceSchema });
    expect(await mutationFn('by a mutation')).toMatchObject({ content: 'by a mutation' });
    expect(outOfDate).toEqual(['post', 'user', 'orderLine']);
  });
});
