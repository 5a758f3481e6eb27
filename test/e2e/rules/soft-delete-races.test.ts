import { as, describeSoftDelete, remove } from './soft-delete-suite.js';

describeSoftDelete('concurrent soft deletes of one record', (suite) => {
  it('are a 204 for one request, and a 404 for the others', async () => {
    for (const app of [suite.plain, suite.ruled, suite.inSql]) {
      await suite.database.reset();
      const answers = await Promise.all(Array.from({ length: 10 }, () => remove(app, '/task/1', as(1))));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([204, ...Array.from({ length: 9 }, () => 404)]);
    }
  });

  it('are a 403 if the rule forbids the delete', async () => {
    expect((await remove(suite.ruled, '/task/1', as(2))).status).toBe(403);
  });
});
