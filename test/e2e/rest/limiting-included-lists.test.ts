import { describeWrites, refusalOf } from './write-suite.js';

describeWrites('an included list below a partial page of related resources', { limits: { maxTake: 3 } }, (suite) => {
  const read = (): Promise<readonly (number | string)[]> =>
    suite.app.rest.get('/category/1/posts?include=comments&page[limit]=3').then(refusalOf);

  async function comment(count: number): Promise<void> {
    const { post, comment } = suite.database.prisma;
    const { id: postId } = await post.findFirstOrThrow({ where: { categoryId: 1 } });
    await comment.deleteMany({ where: { postId } });
    await comment.createMany({ data: Array.from({ length: count }, (_, index) => ({ postId, authorId: 1, body: `${index}` })) });
  }

  it('is complete with limits.maxTake rows', async () => {
    await comment(3);
    expect(await read()).toEqual([200]);
  });

  it('is rejected above limits.maxTake, and never truncated', async () => {
    for (const count of [4, 5, 7]) {
      await comment(count);
      expect(await read()).toEqual([400, 'limit-exceeded nowhere']);
    }
  });
});
