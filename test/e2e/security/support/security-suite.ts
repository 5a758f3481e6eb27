import type { LoggerService } from '@nestjs/common';
import { openTestDatabase, type TestDatabase } from '../../../support/database.js';
import { onPlatforms, type Platform, startTestApp, type TestApp, type TestAppOptions } from '../../../support/test-app.js';

/** The members of a suite, which are set when its tests run. */
export interface SecuritySuite {
  readonly platform: Platform;
  readonly app: TestApp;
  readonly database: TestDatabase;
  /** Every line that was logged while the application started. */
  readonly bootLog: readonly string[];
  /** Every line that was logged since the test began. */
  readonly log: readonly string[];
}

type DescribeSuite = (name: string, options: TestAppOptions['options'], tests: (suite: SecuritySuite) => void) => void;

/**
 * Runs the same tests on Express and on Fastify (`onPlatforms`), each test from the base seed, with a statement counter at zero.
 *
 * @example
 * describeSecurity('probing', { resources }, (suite) => { it('…', async () => { await suite.app.rest.get('/user'); }); });
 */
export const describeSecurity: DescribeSuite = (name, options, tests) => {
  onPlatforms(name, (platform) => {
    runSuite(platform, options, tests);
  });
};

function runSuite(platform: Platform, options: TestAppOptions['options'], tests: (suite: SecuritySuite) => void): void {
  const log: string[] = [];
  const suite: { -readonly [Member in keyof SecuritySuite]?: SecuritySuite[Member] } = { platform, log };
  beforeAll(async () => {
    suite.database = await openTestDatabase();
    const logger = listener(log);
    suite.app = await startTestApp({ platform, database: suite.database, logger, ...(options && { options }) });
    await suite.database.reset();
    suite.bootLog = log.splice(0);
  });
  afterEach(async () => {
    log.length = 0;
    if (suite.database?.statements.writes.length) await suite.database.reset();
    suite.database?.statements.clear();
  });
  afterAll(async () => {
    await suite.app?.close();
    await suite.database?.close();
  });
  tests(suite as SecuritySuite);
}

function listener(lines: string[]): LoggerService {
  const listen = (...parts: unknown[]): void => {
    lines.push(parts.map((part) => (part instanceof Error ? (part.stack ?? part.message) : String(part))).join(' '));
  };
  return { log: listen, error: listen, warn: listen, debug: listen, verbose: listen };
}
