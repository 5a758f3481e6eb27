import fc from 'fast-check';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { IS_SHORT } from '../../support/in-full.js';
import { IS_LONG, seededRuns } from '../../support/long-tests.js';
import { type OutgoingRequest, sendRequest } from '../../support/send-request.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { restWrite } from '../security/support/random-rest-write.js';
import { rpcWrite } from '../security/support/random-rpc-write.js';
import { inspectedClient, readState, sequencesOf, withoutTime } from './inspected-client.js';
import { installPolicies, removePolicies } from './policies.js';
import { OWN_CODE } from './own-code.js';
import { RULES } from './rules.js';

/** Of so many writes half are of each style. `RANDOM_REQUESTS=20000 RANDOM_SEED=42 npx jest rules/differing-writes` runs others. */
const RUNS = Number(process.env['RANDOM_REQUESTS'] ?? (IS_LONG ? 5_000 : 40)) / 2;
const OPTIONS = seededRuns(RUNS);

const caller = fc.constantFrom(undefined, 1, 2, 3, 4);

/** An answer, and what the database would hold after it; undefined where the write is undone. */
interface Outcome {
  readonly status: number;
  readonly text: string;
  readonly state: string | undefined;
}

describe.each(IS_SHORT ? OWN_CODE.slice(-1) : OWN_CODE)(
  'random writes under row rules, and under the same rules as policies of PostgreSQL, %s',
  (_own, own) => {
    let database: TestDatabase;
    let ruled: TestApp;
    let bound: TestApp;
    let sequences: string;
    let before: string;
    let state: string | undefined;
    let callerId: number | undefined;

    beforeAll(async () => {
      database = await openTestDatabase();
      const { prisma } = database;
      await installPolicies(prisma);
      sequences = await sequencesOf(prisma);
      before = withoutTime(await readState(prisma));
      const note = (found: string): void => void (state = found);
      const clientOf = (boundTo?: () => number | undefined) => (): object => inspectedClient(prisma, { boundTo, note });
      ruled = await startTestApp({ ...own, platform: 'express', options: { ...own.options, rules: RULES, getClient: clientOf() } });
      bound = await startTestApp({ ...own, platform: 'fastify', options: { ...own.options, getClient: clientOf(() => callerId) } });
    }, 60_000);
    afterAll(async () => {
      await ruled.close();
      await bound.close();
      await removePolicies(database.prisma);
      await database.close();
    });

    async function outcomeOf({ agent }: TestApp, request: OutgoingRequest): Promise<Outcome> {
      state = undefined;
      await database.prisma.$queryRawUnsafe(sequences);
      const headers = { ...request.headers, ...(callerId !== undefined && { 'X-User-Id': String(callerId) }) };
      const { status, text } = await sendRequest(agent, { ...request, headers });
      return { status, text: withoutTime(text), state: noted() };
    }

    function noted(): string | undefined {
      return state === undefined ? undefined : withoutTime(state);
    }

    /** Where rules refuse what policies leave out. */
    function isStricter({ state: after }: Outcome, { path, body = '' }: OutgoingRequest): boolean {
      // Nothing happens and is said to be done. A join table is open there: here the row that is changed decides.
      if (withoutJoins(after) === withoutJoins(before)) return true;
      // Of several links those are changed that may be, and of several operations those are done that may be.
      return LINKING.test(path + body) || path.includes('$transaction');
    }

    /** Whoever hears of rows has them looked up: under policies those that may be read, and under rules those that may be written, here none. */
    function isOfLooking(one: Outcome, other: Outcome): boolean {
      return one.state === before && other.status === 400 && other.text.includes('cannot be changed by a write of many records');
    }

    /** What `docs/policies.md` says of the differences. */
    function isDocumented(one: Outcome, other: Outcome, request: OutgoingRequest): boolean {
      // Both refuse: PostgreSQL leaves out of an UPDATE what may not be updated, which Prisma then does not find.
      if (one.status >= 400 && other.status >= 400) return one.status < 500;
      // The write stands, where PostgreSQL refuses to return it.
      if (one.text.includes('RESULT_NOT_READABLE')) return true;
      if (one.status === 403 && isStricter(other, request)) return true;
      if (isOfStatements(one, other, request) || isOfLooking(one, other)) return true;
      // A change of nothing: Prisma sends no UPDATE, and returns what may be read.
      return one.state === other.state && (request.body ?? '').includes('"data":{}');
    }

    it.each([
      ['REST', restWrite],
      ['RPC', rpcWrite],
    ] as const)(
      '%s answers the same and writes the same',
      async (_, requests) => {
        let done = 0;
        const property = fc.asyncProperty(requests, caller, async (request, id) => {
          callerId = id;
          const one = await outcomeOf(ruled, request);
          const other = await outcomeOf(bound, request);
          expect(one.status).toBeLessThan(500);
          if (one.status < 300) done++;
          if (!isDocumented(one, other, request)) expect(one).toEqual(other);
        });
        await fc.assert(property, OPTIONS);
        // Refusals alone would prove little.
        expect(done).toBeGreaterThan(RUNS / 50);
      },
      3_600_000,
    );
  },
);

/** Requests that link rows, or cut links. */
const LINKING = /relationships|"(?:set|connect|disconnect)"/;

const WRITING_MANY = /(?:update|delete)Many/;

/** Whether every write of many has a filter with a condition in it. */
function hasCondition({ path, body = '{}' }: OutgoingRequest): boolean {
  const calls = [JSON.parse(body)].flat() as readonly Readonly<Record<string, unknown>>[];
  const wheres = path.includes('$transaction')
    ? calls.filter(({ op }) => WRITING_MANY.test(String(op))).map(({ args }) => (args as { readonly where?: unknown } | undefined)?.where)
    : calls.map(({ where }) => where);
  return wheres.every(hasValue);
}

function hasValue(where: unknown): boolean {
  return typeof where === 'object' && where !== null ? Object.values(where).some(hasValue) : where !== undefined;
}

/** An outcome without the times that `@updatedAt` gives. */
function withoutUpdates({ text, state }: Outcome): string {
  return JSON.stringify([text, state]).replaceAll(/\\*"updatedAt\\*":\\*"[^"]*"/g, '');
}

/** Differences that the statements make, which Prisma sends in one case and we in the other. */
function isOfStatements(one: Outcome, other: Outcome, request: OutgoingRequest): boolean {
  const text = request.path + (request.body ?? '');
  // A link changes one column; here it is an update of the row that holds the key, and so of its `@updatedAt`.
  if (one.status === other.status && LINKING.test(text) && withoutUpdates(one) === withoutUpdates(other)) return true;
  if (isOfInsert(one, other, text)) return true;
  // Without a filter PostgreSQL asks no policy for SELECT, and writes rows that may not be read.
  return WRITING_MANY.test(text) && !hasCondition(request);
}

/** An upsert that PostgreSQL takes as `INSERT … ON CONFLICT`: it asks its policy for INSERT of the row that it then only updates, where rules ask for what is done. */
function isOfInsert(one: Outcome, other: Outcome, text: string): boolean {
  return one.status < 300 && other.status === 403 && text.includes('upsert');
}

/** A state, as {@link readState} writes it, without its join tables. */
function withoutJoins(text: string | undefined): string {
  const [tables] = JSON.parse(text ?? '[]') as readonly Readonly<Record<string, unknown>>[];
  return JSON.stringify({ ...tables, _PostToTag: null });
}
