import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import type { RestResponse } from '../../support/rest-client.js';
import { describeOnEachPlatform, type Platform, startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.js';

/** Integers with a default stand for versions: the tests' schema has no field that is called one. */
export const VERSIONS = { Post: { version: 'viewCount' }, User: { version: 'loginCount' }, Product: { version: 'stock' } } as const;

/** The refusal of a tag that is not the row's any more. */
export const STALE = [412, 'precondition-failed If-Match'];

/** A change of the title of the first post. */
export const TITLE = { data: { type: 'post', id: 1, attributes: { title: 'Changed' } } };

type Headers = Readonly<Record<string, string>>;

/** What a suite works with; all is there once its tests run. */
export interface VersionsSuite {
  readonly platform: Platform;
  readonly database: TestDatabase;
  /** Its models have {@link VERSIONS}. */
  readonly app: TestApp;
  /** Another app on the same database. */
  readonly start: (options: TestAppOptions['options']) => Promise<TestApp>;
  /** The stored version of a post. */
  readonly versionOf: (id?: number) => Promise<number>;
  readonly titleOf: (id?: number) => Promise<string>;
  /** Sends {@link TITLE}. */
  readonly patch: (headers: Headers, path?: string) => Promise<RestResponse>;
}

/** Describes versions on both platforms: every test starts from the base seed. */
export function describeVersions(
  name: string,
  options: Omit<NonNullable<TestAppOptions['options']>, 'resources'>,
  tests: (suite: VersionsSuite) => void,
): void {
  describeOnEachPlatform(name, (platform) => {
    const apps: TestApp[] = [];
    const there: { database?: TestDatabase; app?: TestApp } = {};
    const suite: VersionsSuite = {
      platform,
      get database() {
        return required(there.database);
      },
      get app() {
        return required(there.app);
      },
      start: async (others) => {
        const started = await startTestApp({ platform, database: suite.database, ...(others && { options: others }) });
        apps.push(started);
        return started;
      },
      versionOf: async (id = 1) => {
        const select = { viewCount: true };
        return (await suite.database.prisma.post.findUniqueOrThrow({ where: { id }, select })).viewCount;
      },
      titleOf: async (id = 1) => (await suite.database.prisma.post.findUniqueOrThrow({ where: { id } })).title,
      patch: (headers, path = '/post/1') => suite.app.rest.patch(path, TITLE, headers),
    };
    beforeAll(async () => {
      there.database = await openTestDatabase();
      there.app = await suite.start({ ...options, resources: VERSIONS });
    }, 60_000);
    beforeEach(() => suite.database.reset());
    afterAll(async () => {
      for (const one of apps) await one.close();
      await there.database?.close();
    });
    tests(suite);
  });
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('It is there once the tests run.');
  return value;
}
