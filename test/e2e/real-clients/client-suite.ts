import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { sample } from '../../support/sample.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

/** The members of a suite, which are set when its tests run. */
export interface ClientSuite {
  readonly app: TestApp;
  readonly database: TestDatabase;
  /** The base URL of the REST API of the listening application. */
  readonly baseUrl: string;
}

/** Describes a third-party client on a listening application, in default and in strict mode, each on one platform. */
export function describeClient(name: string, tests: (suite: ClientSuite, strict: boolean) => void): void {
  sample.omitted.describe.each([
    { mode: 'default', strict: false, platform: 'express' },
    { mode: 'strict', strict: true, platform: 'fastify' },
  ] as const)(`${name}, $mode mode on $platform`, ({ strict, platform }) => {
    const suite: { app?: TestApp; database?: TestDatabase; baseUrl?: string } = {};
    beforeAll(async () => {
      suite.database = await openTestDatabase();
      suite.app = await startTestApp({ platform, database: suite.database, options: { rest: { strict } } });
      suite.baseUrl = `${suite.app.url}/api/rest`;
    });
    beforeEach(() => suite.database?.reset());
    afterAll(async () => {
      await suite.app?.close();
      await suite.database?.close();
    });
    tests(suite as ClientSuite, strict);
  });
}
