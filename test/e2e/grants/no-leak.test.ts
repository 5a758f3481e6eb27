import { assertNoLeak } from '../../../lib/testing/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { sample } from '../../support/sample.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { GRANT_SETS, GRANTED_RESOURCES, type GrantName, GRANTS } from './support/granted-resources.js';

/** Fields that need a grant, with every grant that allows any use of them. A caller who may write a field can tell that it exists. */
const FIELDS: readonly (readonly [model: string, field: string, ...grants: readonly GrantName[]])[] = [
  ['User', 'loginCount', 'hr', 'admin'],
  ['User', 'email', 'hr'],
  ['User', 'recoveryCode', 'hr'],
  ['Order', 'dueOn', 'hr'],
];

sample.omitted.describe('assertNoLeak', () => {
  onPlatforms('on', (platform) => {
    let database: TestDatabase;
    let app: TestApp;

    beforeAll(async () => {
      database = await openTestDatabase();
      await database.reset();
      app = await startTestApp({ platform, database, options: { resources: GRANTED_RESOURCES, grants: GRANTS } });
    });
    afterAll(async () => {
      await app.close();
      await database.close();
    });

    const callers = GRANT_SETS.flatMap((held) =>
      FIELDS.map(([model, field, ...grants]) => ({ model, field, held, isOpen: grants.some((grant) => held.includes(grant)) })),
    );

    it.each(callers.filter(({ isOpen }) => !isOpen))(
      'passes for $model.$field and a caller with the grants $held, who may not use it',
      async ({ model, field, held }) => {
        await assertNoLeak(app.nest, { model, field, headers: { 'X-Grants': held.join(' ') } });
      },
      60_000,
    );

    it.each(callers.filter(({ isOpen }) => isOpen))(
      'fails for $model.$field and a caller with the grants $held, who may use it',
      async ({ model, field, held }) => {
        const proving = assertNoLeak(app.nest, { model, field, headers: { 'X-Grants': held.join(' ') } });
        await expect(proving).rejects.toThrow(`${model}.${field}`);
      },
      60_000,
    );
  });
});
