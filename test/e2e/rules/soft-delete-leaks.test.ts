import { assertNoLeak } from '../../../lib/testing/index.js';
import { sample } from '../../support/sample.js';
import { long } from '../../support/long.js';
import { ADMIN, as, describeSoftDelete } from './soft-delete-suite.js';

describeSoftDelete('assertNoLeak with a soft-deleted record', (suite) => {
  sample.omitted.it.each([
    ['Comment', 'comment', 1],
    ['Task', 'task', 1],
  ] as const)(
    'passes for a deleted %s',
    async (model, path, id) => {
      const deleted = await suite.plain.rest.request('DELETE', `/${path}/${id}`, { headers: ADMIN });
      expect(deleted.status).toBeLessThan(300);
      await assertNoLeak(suite.plain.nest, { model, row: { id }, headers: as(1), reader: ADMIN });
    },
    120_000,
  );

  long.it(
    'fails for a record that is not deleted',
    async () => {
      await expect(assertNoLeak(suite.plain.nest, { model: 'Task', row: { id: 1 }, headers: as(1), reader: ADMIN })).rejects.toThrow(
        'Task',
      );
    },
    120_000,
  );
});
