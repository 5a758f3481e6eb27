import { describeWrites, refusalOf } from './write-suite.js';

describeWrites('a list below a related page that is not full', { limits: { maxTake: 3 } }, (suite) => {
  const read = (): Promise<readonly (number | string)[]> =>
    suite.app.rest.get('/category/1/posts?include=comments&page[limit]=3').then(refusalOf);

  async function comment(count: number): Promise<void> {
    const { post, comment } = suite.database.prisma;
    const { id: postId } = await post.findFirstOrThrow({ where: { categoryId: 1 } });
    await comment.deleteMany({ where: { postId } });
    await comment.createMany({ data: Array.from({ length: count }, (_, index) => ({ postId, authorId: 1, body: `${index}` })) });
  }

  it('is whole at limits.maxTake', async () => {
    await comment(3);
    expect(await read()).toEqual([200]);
  });

  it('is refused above it, and never cut silently', async () => {
    for (const count of [4, 5, 7]) {
      await comment(count);
      expect(await read()).toEqual([400, 'limit-exceeded nowhere']);
    }
  });
});
