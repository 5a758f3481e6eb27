import fc from 'fast-check';
import { IS_LONG } from '../../support/long.js';
import { type OutgoingRequest, sendRequest } from '../../support/send-request.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { inspectedClient, readState, rowsOf, sequencesOf, withoutCuids, withoutTime } from './inspected-client.js';
import { installPolicies, removePolicies } from './policies.js';
import { hasLinks } from './has-links.js';
import { type Variant, VARIANTS } from './variants.js';

/** The number of writes of a variant, half of them of each style. `RANDOM_REQUESTS=20000 RANDOM_SEED=42 npx jest rules/differing-writes` runs others. */
const RUNS = Number(process.env['RANDOM_REQUESTS'] ?? (IS_LONG ? 3_300 : 20)) / 2;
const OPTIONS = { numRuns: RUNS };

const caller = fc.constantFrom(undefined, 1, 2, 3, 4);

/** A response, and the rows of the database after it. The rows are undefined if the write is rolled back. */
interface Outcome {
  readonly status: number;
  readonly text: string;
  readonly state: string | undefined;
}

describe.each(VARIANTS)(
  'random writes under row rules, and under the same rules as policies of PostgreSQL, %s',
  (_name, { open, tables, app, rules, policies, writes }) => {
    let database: Awaited<ReturnType<Variant['open']>>;
    let ruled: TestApp;
    let bound: TestApp;
    let sequences: string;
    let before: string;
    let state: string | undefined;
    let readable = '';
    let callerId: number | undefined;

    beforeAll(async () => {
      database = await open();
      const { prisma } = database;
      await installPolicies(prisma, policies);
      sequences = await sequencesOf(prisma);
      before = withoutGenerated(await readState(prisma, tables));
      const noteIn = (isBound: boolean) => (found: string, toCaller: string) => {
        state = found;
        if (!isBound) readable = withoutGenerated(toCaller);
      };
      const clientOf = (isBound: boolean) => (): object =>
        inspectedClient(prisma, { caller: () => callerId, isBound, note: noteIn(isBound), tables });
      ruled = await startTestApp({ ...app, platform: 'express', options: { ...app.options, rules, getClient: clientOf(false) } });
      bound = await startTestApp({ ...app, platform: 'fastify', options: { ...app.options, getClient: clientOf(true) } });
    }, 60_000);
    afterAll(async () => {
      await ruled.close();
      await bound.close();
      await removePolicies(database.prisma, policies);
      await database.close();
    });

    async function outcomeOf({ agent }: TestApp, request: OutgoingRequest): Promise<Outcome> {
      state = undefined;
      await database.prisma.$queryRawUnsafe(sequences);
      const headers = { ...request.headers, ...(callerId !== undefined && { 'X-User-Id': String(callerId) }) };
      const { status, text } = await sendRequest(agent, { ...request, headers });
      return { status, text: withoutGenerated(text), state: noted() };
    }

    function noted(): string | undefined {
      return state === undefined ? undefined : withoutGenerated(state);
    }

    /** Whether rules reject rows that policies skip. */
    function isStricter({ state: after }: Outcome, request: OutgoingRequest): boolean {
      // The policies write nothing and report success. They have none for join tables, for which rules check the changed row.
      if (withoutJoins(after) === withoutJoins(before)) return true;
      // Policies write the allowed ones of several links or operations.
      return hasLinks(request) || request.path.includes('$transaction');
    }

    /** Whether the two read different rows before a write with observers: policies the readable ones, rules the writable ones, here none. */
    function isOfLooking(one: Outcome, other: Outcome): boolean {
      return one.state === before && other.status === 400 && other.text.includes('cannot be changed by a write of many records');
    }

    /** Whether PostgreSQL rejects a row that is unreadable after the write, even if the response does not contain it. */
    function isOfUnreadable(one: Outcome, other: Outcome): boolean {
      if (one.status >= 300 || other.status !== 403 || one.state === undefined) return false;
      const visible = new Set([...rowsOf(before), ...rowsOf(readable)]);
      return rowsOf(one.state).some((row) => !visible.has(row));
    }

    /** Whether `docs/policies.md` documents the difference. */
    function isDocumented(one: Outcome, other: Outcome, request: OutgoingRequest): boolean {
      // Both reject: PostgreSQL skips forbidden rows in an UPDATE, and Prisma then reports them as missing.
      if (one.status >= 400 && other.status >= 400) return one.status < 500;
      if (isOfAnswer(one, other) || isOfUnreadable(one, other)) return true;
      if (one.status === 403 && isStricter(other, request)) return true;
      if (isOfStatements(one, other, request) || isOfLooking(one, other)) return true;
      return changesNothing(one, other, request);
    }

    it.each(writes)(
      '%s return the same responses and write the same rows',
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
        // A test with only rejected requests would prove little.
        expect(done).toBeGreaterThan(RUNS / 50);
      },
      3_600_000,
    );
  },
);

/** Replaces timestamps and ids, which differ for each write. */
function withoutGenerated(text: string): string {
  return withoutCuids(withoutTime(text));
}

/** Whether an update has no changes, for which Prisma sends no UPDATE and returns the readable row. */
function changesNothing(one: Outcome, other: Outcome, { body = '' }: OutgoingRequest): boolean {
  return one.state === other.state && body.includes('"data":{}');
}

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
  if (typeof where !== 'object' || where === null) return where !== undefined;
  // `mode` alone is no condition.
  return Object.entries(where).some(([name, value]) => !(name === 'mode' && isMode(value)) && hasValue(value));
}

function isMode(value: unknown): boolean {
  return value === 'insensitive' || value === 'default';
}

/** Returns an outcome without the timestamps of `@updatedAt`. */
function withoutUpdates({ text, state }: Outcome): string {
  return JSON.stringify([text, state]).replaceAll(/\\*"updatedAt\\*":\\*"[^"]*"/g, '');
}

/**
 * Errors that only rules have. They are links to a null key, with which PostgreSQL removes the existing link, changes of keys by a write of many, after which its
 * rows could not be found again, and sorting by rows of which some are unreadable.
 */
const REFUSED = /without a value for what is linked by|cannot be changed by a write of many records|may not be used to sort/;

/** Whether the text of a response documents the difference. */
function isOfAnswer({ status, text }: Outcome, other: Outcome): boolean {
  // Prisma cannot express the query. Rules do not send it if no row matches.
  if (other.text.includes("called as Prisma's connectives are")) return true;
  if (status === 400 && REFUSED.test(text)) return true;
  // The rules store the write, where PostgreSQL rejects to return it.
  return text.includes('RESULT_NOT_READABLE');
}

/** Whether the difference is due to the statements, which Prisma sends in one case and the API in the other. */
function isOfStatements(one: Outcome, other: Outcome, request: OutgoingRequest): boolean {
  // In Prisma, a link changes one column. Under rules, it is an update of the row with the foreign key, and so of its `@updatedAt`.
  if (one.status === other.status && hasLinks(request) && withoutUpdates(one) === withoutUpdates(other)) return true;
  if (isOfInsert(one, other, request)) return true;
  // Without a filter, PostgreSQL enforces no policy for SELECT, and writes unreadable rows.
  return WRITING_MANY.test(request.path + (request.body ?? '')) && !hasCondition(request);
}

/** Whether an upsert is `INSERT … ON CONFLICT`. PostgreSQL enforces the policy for INSERT also if it updates, and rules only that of the executed write. */
function isOfInsert(one: Outcome, other: Outcome, { path, body = '' }: OutgoingRequest): boolean {
  return one.status < 300 && other.status === 403 && UPSERT.test(path + body);
}

/** Matches upserts of both styles, also in a batch. A field may have this name, too. */
const UPSERT = /\/upsert\b|"(?:op|operation)":"upsert"/;

/** A state, as {@link readState} writes it, without its join tables. */
function withoutJoins(text: string | undefined): string {
  const [tables] = JSON.parse(text ?? '[]') as readonly Readonly<Record<string, unknown>>[];
  return JSON.stringify(Object.entries(tables ?? {}).filter(([name]) => !name.startsWith('_')));
}
