import { as, describeSoftDelete, remove } from './soft-delete-suite.js';

describeSoftDelete('deletes of one record at once', (suite) => {
  it('are one 204, and 404 for the others', async () => {
    for (const app of [suite.plain, suite.ruled, suite.inSql]) {
      await suite.database.reset();
      const answers = await Promise.all(Array.from({ length: 10 }, () => remove(app, '/task/1', as(1))));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([204, ...Array.from({ length: 9 }, () => 404)]);
    }
  });

  it('are refused where the rule says so', async () => {
    expect((await remove(suite.ruled, '/task/1', as(2))).status).toBe(403);
  });
});
