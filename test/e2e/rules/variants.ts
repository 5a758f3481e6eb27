import type fc from 'fast-check';
import type { RowLevelSecurityClient, RulesOption } from '../../../lib/index.js';
import { openTestDatabase } from '../../support/database.js';
import { resourceSchema as namesSchema } from '../../support/generated/names/resource-schema.js';
import { sample } from '../../support/sample.js';
import { NAMES_TABLES, openNamesDatabase } from '../../support/names-database.js';
import type { OutgoingRequest } from '../../support/send-request.js';
import type { TestAppOptions } from '../../support/test-app.js';
import { namesModel } from '../security/support/random-fields.js';
import { restRequest, restRequestOf } from '../security/support/random-rest-request.js';
import { restWrite, restWriteOf } from '../security/support/random-rest-write.js';
import { rpcRequest, rpcRequestOf } from '../security/support/random-rpc-request.js';
import { rpcWrite, rpcWriteOf } from '../security/support/random-rpc-write.js';
import { type InspectedPrisma, TABLES } from './inspected-client.js';
import { NAMES_POLICIES, NAMES_RULES } from './names-rules.js';
import { OWN_CODE } from './own-code.js';
import { POLICIES, type Policies } from './policies.js';
import { RULES } from './rules.js';

type Requests = readonly (readonly [style: string, requests: fc.Arbitrary<OutgoingRequest>])[];

/** The schema, rules, policies and rows of suites that compare an application under rules with one under policies of PostgreSQL. */
export interface Variant {
  readonly open: () => Promise<{ readonly prisma: InspectedPrisma & RowLevelSecurityClient; readonly close: () => Promise<void> }>;
  readonly tables: readonly string[];
  /** Of both applications. */
  readonly app: Pick<TestAppOptions, 'imports' | 'options'>;
  readonly rules: RulesOption;
  readonly policies: Policies;
  readonly reads: Requests;
  readonly writes: Requests;
}

const PUBLISHER = {
  open: openTestDatabase,
  tables: TABLES,
  rules: RULES,
  policies: POLICIES,
  reads: [
    ['REST', restRequest],
    ['RPC', rpcRequest],
  ],
  writes: [
    ['REST', restWrite],
    ['RPC', rpcWrite],
  ],
} satisfies Partial<Variant>;

/** Further rows with equal values, for orders that are not unique, and rows with foreign keys that are not null. */
const MORE_ROWS = `
  WITH coded AS (UPDATE "Account" SET code = 'D' WHERE id = 4)
    INSERT INTO "Tool" (id, name) VALUES (4, 'one'), (5, 'two');
  INSERT INTO "Sensor" VALUES (4, 's1', NULL, NULL, 3), (5, 's1', '[]', 3, 2);
  INSERT INTO "Measurement" VALUES (5, 10, 2), (6, 10, NULL), (7, 5, 1);
  INSERT INTO "Choice" VALUES (5, 1, 'a', 5), (6, 1, 'a', 1);
  INSERT INTO "Gate" VALUES (3, 'a', 1, NULL), (4, NULL, NULL, 3);
  INSERT INTO "Note" VALUES (4, 'a', 'D'), (5, 'a', 'D');
  INSERT INTO "Badge" VALUES (4, 'of 4', 'D');`;

/** Relations and fields with the names of arguments, some of them with nullable foreign keys. */
const NAMES: Variant = {
  open: async () => {
    const database = await openNamesDatabase();
    for (const statement of MORE_ROWS.split(';\n')) await database.prisma.$executeRawUnsafe(statement);
    return database;
  },
  tables: NAMES_TABLES,
  app: { options: { schema: namesSchema } },
  rules: NAMES_RULES,
  policies: NAMES_POLICIES,
  reads: [
    ['REST', restRequestOf(namesModel)],
    ['RPC', rpcRequestOf(namesModel)],
  ],
  writes: [
    ['REST', restWriteOf(namesModel)],
    ['RPC', rpcWriteOf(namesModel)],
  ],
};

const OF_PUBLISHER = OWN_CODE.map(([name, app]): readonly [string, Variant] => [name, { ...PUBLISHER, app }]);

/** All variants. `npm test` skips the plainest one. */
export const VARIANTS: readonly (readonly [name: string, variant: Variant])[] = [
  ...sample.choose(OF_PUBLISHER.slice(-1), OF_PUBLISHER),
  ['on names of arguments', NAMES],
];
