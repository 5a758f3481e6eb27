import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import type { RestResponse } from '../../support/rest-client.js';
import { onPlatforms, startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.js';

/** The members of a suite, which are set when its tests run. */
export interface ReadSuite {
  readonly app: TestApp;
  readonly database: TestDatabase;
}

/**
 * Describes reads on Express and on Fastify, on one database with the base seed that no test changes.
 *
 * @example
 * describeReads('sorting', {}, (suite) => { it('…', async () => { await suite.app.rest.get('/post?sort=title'); }); });
 */
export function describeReads(name: string, options: TestAppOptions['options'], tests: (suite: ReadSuite) => void): void {
  describe(name, () => {
    const suite: { app?: TestApp; database?: TestDatabase } = {};
    beforeAll(async () => {
      suite.database = await openTestDatabase();
    }, 60_000);
    beforeEach(() => suite.database?.statements.clear());
    afterAll(() => suite.database?.close());
    onPlatforms('on', (platform) => {
      beforeAll(async () => {
        suite.app = await startTestApp({ platform, ...(suite.database && { database: suite.database }), ...(options && { options }) });
      });
      afterAll(() => suite.app?.close());
      tests(suite as ReadSuite);
    });
  });
}

/** Status, and each error as `code place: detail`, for assertions in one line. */
export function refusalOf({ status, errors }: RestResponse): readonly (number | string)[] {
  return [status, ...errors.map(({ code, source, detail }) => `${code} ${source?.parameter ?? 'nowhere'}: ${detail}`)];
}

/** The included resources as `type id`. */
export function includedIn({ included }: RestResponse): readonly string[] {
  return included.map(({ type, id }) => `${type} ${id}`);
}
