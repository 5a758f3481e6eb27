import type { RulesOption } from '../../../../lib/index.js';
import { resourceSchema } from '../../../support/generated/names/resource-schema.js';
import { type NamesDatabase, openNamesDatabase } from '../../../support/names-database.js';
import { type Platform, startTestApp, type TestApp } from '../../../support/test-app.js';
import { type Caller, callerOf } from '../../rules/rules-suite.js';

/** To-one relations of `Tool`, each to the account that the seed gives tool 1 there. */
export const RELATIONS = { data: 2, set: 3, create: 4, update: 5, connect: 6, where: 7, select: 8, some: 9, is: 1 } as const;
export const NAMES = Object.keys(RELATIONS) as (keyof typeof RELATIONS)[];

/** Rules with a condition that every row meets. */
export const NOTHING_CLOSED: RulesOption = { '*': { '*': { id: { gt: 0 } } } };

/** The members of a suite, which are set when its tests run. */
export interface NamesSuite {
  readonly database: NamesDatabase;
  /** Starts an application that replaces the last one, and returns a caller of it. */
  readonly start: (platform: Platform, rules?: RulesOption, client?: object) => Promise<Caller>;
}

/** Describes tests on models with the names of Prisma's arguments. The seed is restored before each test. */
export function describeNames(name: string, tests: (suite: NamesSuite) => void): void {
  describe(name, () => {
    let app: TestApp | undefined;
    const close = async (): Promise<void> => {
      await app?.close();
      app = undefined;
    };
    const suite: { database?: NamesDatabase; start: NamesSuite['start'] } = {
      start: async (platform, rules, client = suite.database?.prisma) => {
        await close();
        const getClient = (): object => client ?? {};
        app = await startTestApp({ platform, options: { schema: resourceSchema, getClient, ...(rules && { rules }) } });
        return callerOf(app);
      },
    };
    beforeAll(async () => {
      suite.database = await openNamesDatabase();
    }, 60_000);
    beforeEach(() => suite.database?.reset());
    afterEach(close);
    afterAll(() => suite.database?.close());
    tests(suite as NamesSuite);
  });
}
