import { openTestDatabase, type TestDatabase } from './database.js';
import { type Platform, startTestApp, type TestApp, type TestAppOptions } from './test-app.js';

/** What an app of a suite has beside its platform and its database. */
export type SuiteSetup = Omit<TestAppOptions, 'platform' | 'database'>;

/** The setup of an app that has options alone. */
export const withOptions = (options: SuiteSetup['options']): SuiteSetup => (options ? { options } : {});

/**
 * Applications on one separate database, for the `describe` that makes it. Its hooks belong to that block: each test starts from the base seed, and all
 * is closed at the end.
 */
export class AppSuite<Options = SuiteSetup['options']> {
  readonly #apps: TestApp[] = [];
  #database: TestDatabase | undefined;
  #app: TestApp | undefined;

  /**
   * @param setupOf what an app of these options has
   * @param first the options of {@link app}
   */
  constructor(
    readonly platform: Platform,
    private readonly setupOf: (options: Options) => SuiteSetup,
    first: NoInfer<Options>,
  ) {
    beforeAll(async () => {
      this.#database = await openTestDatabase();
      this.#app = await this.start(first);
    }, 60_000);
    beforeEach(() => this.database.reset());
    afterAll(async () => {
      for (const app of this.#apps) await app.close();
      await this.#database?.close();
    });
  }

  get database(): TestDatabase {
    return required(this.#database);
  }

  get app(): TestApp {
    return required(this.#app);
  }

  /** Another app on the same database. */
  readonly start = async (options: Options): Promise<TestApp> => {
    const { platform, database } = this;
    const started = await startTestApp({ ...this.setupOf(options), platform, database });
    this.#apps.push(started);
    return started;
  };
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('It is there once the tests run.');
  return value;
}
