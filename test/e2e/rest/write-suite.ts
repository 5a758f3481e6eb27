import { type TestDatabase, openTestDatabase } from '../../support/database.js';
import type { ErrorObject } from '../../support/json-api-document.js';
import type { RestResponse } from '../../support/rest-client.js';
import { onPlatforms, startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.js';

/** The members of a suite, which are set when its tests run. */
export interface WriteSuite {
  readonly app: TestApp;
  readonly database: TestDatabase;
}

/**
 * Describes writes on Express and on Fastify: every test starts from the base seed.
 *
 * @example
 * describeWrites('deleting', {}, (suite) => { it('…', async () => { await suite.app.rest.delete('/post/1'); }); });
 */
export function describeWrites(name: string, options: TestAppOptions['options'], tests: (suite: WriteSuite) => void): void {
  onPlatforms(name, (platform) => {
    const suite: { app?: TestApp; database?: TestDatabase } = {};
    beforeAll(async () => {
      suite.database = await openTestDatabase();
      suite.app = await startTestApp({ platform, database: suite.database, ...(options && { options }) });
    });
    beforeEach(() => suite.database?.reset());
    afterAll(async () => {
      await suite.app?.close();
      await suite.database?.close();
    });
    tests(suite as WriteSuite);
  });
}

/** Status, and each error as `code pointer`, for assertions in one line. */
export function refusalOf({ status, errors }: RestResponse): readonly (number | string)[] {
  return [status, ...errors.map(({ code, source }) => `${code} ${placeOf(source)}`)];
}

function placeOf(source: ErrorObject['source']): string {
  return source?.pointer ?? source?.parameter ?? source?.header ?? 'nowhere';
}

export const user = (id: unknown): object => ({ type: 'user', id });
export const tag = (id: unknown): object => ({ type: 'tag', id });
export const comment = (id: unknown): object => ({ type: 'comment', id });
