import { describe, it } from '@jest/globals';
import fc from 'fast-check';
import type { RulesOption } from '../../../lib/index.js';
import { resourceSchema as namesSchema } from '../../support/generated/names/resource-schema.js';
import { IS_LONG } from '../../support/long.js';
import { NAMES_TABLES, openNamesDatabase } from '../../support/names-database.js';
import { type OutgoingRequest, sendRequest } from '../../support/send-request.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { NAMES_RULES } from '../rules/names-rules.js';
import { RULES } from '../rules/rules.js';
import { namesModel } from '../security/support/random-fields.js';
import { restWrite, restWriteOf } from '../security/support/random-rest-write.js';
import { rpcWrite, rpcWriteOf } from '../security/support/random-rpc-write.js';
import { type Send, PUBLISHER, Share, TwoWriters, type WrittenDatabase, type WrittenSetup } from './two-writers.js';

const RUNS = Number(process.env['RANDOM_REQUESTS'] ?? (IS_LONG ? 2_000 : 80)) / 2;

const NAMES: WrittenSetup<Awaited<ReturnType<typeof openNamesDatabase>>> = {
  open: openNamesDatabase,
  restore: ({ reset }) => reset(),
  tables: NAMES_TABLES,
  app: { options: { schema: namesSchema } },
};

const ruled = <Database extends WrittenDatabase>(setup: WrittenSetup<Database>, rules: RulesOption): WrittenSetup<Database> => ({
  ...setup,
  app: { options: { ...setup.app?.options, rules } },
});

const OF_PUBLISHER = [
  ['REST', restWrite],
  ['RPC', rpcWrite],
] as const;
const OF_NAMES = [
  ['REST', restWriteOf(namesModel)],
  ['RPC', rpcWriteOf(namesModel)],
] as const;

/** The callers, whose rules differ. */
const caller = fc.constantFrom(undefined, 1, 2, 3, 4);

onDatabases('postgresql-server').describe('random writes in SQL and by Prisma', () => {
  describeAlike('under rules', ruled(PUBLISHER, RULES), OF_PUBLISHER);
  describeAlike('of models with the names of arguments', NAMES, OF_NAMES);
  describeAlike('of such models, under rules', ruled(NAMES, NAMES_RULES), OF_NAMES);
});

function describeAlike<Database extends WrittenDatabase>(
  title: string,
  setup: WrittenSetup<Database>,
  styles: readonly (readonly [style: string, requests: fc.Arbitrary<OutgoingRequest>])[],
): void {
  describe(title, () => {
    const writers = new TwoWriters(setup);

    it.each(styles)(
      'return and store the same: %s',
      async (_, requests) => {
        const share = new Share();
        const property = fc.asyncProperty(requests, caller, async (request, id) => {
          const send: Send = ({ agent }) => sendRequest(agent, id === undefined ? request : asCaller(request, id));
          share.add(await writers.compareWrites(send));
        });
        await fc.assert(property, { numRuns: RUNS });
        share.expectMost(0);
      },
      3_600_000,
    );
  });
}

function asCaller(request: OutgoingRequest, id: number): OutgoingRequest {
  return { ...request, headers: { ...request.headers, 'X-User-Id': String(id) } };
}
