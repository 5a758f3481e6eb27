import { beforeAll, describe, expect, it } from '@jest/globals';
import { withRowLevelSecurity } from '../../../lib/index.js';
import { sample } from '../../support/sample.js';
import type { TestAppOptions } from '../../support/test-app.js';
import {
  KEY_MODELS,
  openValues,
  resetOf,
  tablesOf,
  VALUES_RULES,
  type ValuesClient,
  valuesSchema,
} from '../../support/values/values-database.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { GRANTS, ROLE } from '../rules/policies.js';
import { writesByKey } from './key-writes.js';
import { TwoWriters } from './two-writers.js';

/** `npm test` runs the first key of each model, and its variants. */
const KEYS = sample.choose(1, 3);

onDatabases('postgresql-server').describe('writes of records by keys of each type, in SQL and by Prisma', () => {
  describeAlike('without rules');
  describeAlike('under rules', { options: { rules: VALUES_RULES } });
  describeAlike('under row-level security', { bind });
});

/** The caller of the requests. */
interface Caller {
  readonly options?: TestAppOptions['options'];
  readonly bind?: (prisma: object) => object;
}

function bind(prisma: object): object {
  return withRowLevelSecurity(prisma as ValuesClient, { role: ROLE });
}

function describeAlike(title: string, { options, bind: bound }: Caller = {}): void {
  describe(title, () => {
    let restoring = 'SELECT reset_rows()';
    const tables: string[] = [];
    const writers = new TwoWriters({
      open: openValues,
      restore: ({ prisma }) => prisma.$executeRawUnsafe(restoring),
      tables,
      app: { options: { schema: valuesSchema, rest: { operations: true }, ...options } },
    });
    let apps: Pick<typeof writers.started, 'fast' | 'plain'> | undefined;

    beforeAll(async () => {
      if (!bound) return;
      const { client, database } = writers.started;
      for (const grant of GRANTS) await database.prisma.$executeRawUnsafe(grant);
      apps = { fast: await writers.start(() => bound(client)), plain: await writers.start(() => bound(database.prisma)) };
    });

    describe.each(KEY_MODELS.map((model) => [model.name, model] as const))('%s', (_, model) => {
      const { keys, variants } = model;

      it.each([...keys.slice(0, KEYS), ...variants].map((key) => [key] as const))(
        'have the same results and store the same rows: %j',
        async (key) => {
          restoring = resetOf(model);
          tables.splice(0, tables.length, ...tablesOf(model));
          const differences: unknown[] = [];
          for (const [name, send] of writesByKey(model, key)) {
            const { status, difference } = await writers.compareWrites(send, apps).then(
              (compared) => ({ ...compared, difference: undefined }),
              (error: unknown) => ({ status: 0, difference: differenceIn(String(error)) }),
            );
            if (status < 200 || status >= 300) differences.push([name, difference ?? status]);
          }
          expect(differences).toEqual([]);
        },
        60_000,
      );
    });
  });
}

/** The lines of a failed comparison that differ, without colours and the rows of the tables. */
function differenceIn(message: string): string {
  const lines = message.split('\n').filter((line) => /"(?:status|text|state)":/.test(line));
  if (lines.length === 0) return message.slice(0, 300);
  return lines.map((line) => line.replace(/^(.*"state").*/, '$1').slice(0, 300)).join('\n');
}
