import { readFileSync } from 'node:fs';
import { IS_LONG } from '../../support/long.js';
import { sample } from '../../support/sample.js';
import { onPlatforms } from '../../support/test-app.js';
import type { HostileRequest } from './support/hostile/hostile-request.js';
import { type HostileApp, type HostileApps, startHostileApps } from './support/hostile/hostile-apps.js';
import { hostileRequests } from './support/hostile/hostile-requests.js';
import { CANARY, faultsOf } from './support/hostile/judge-response.js';

/** The profile `full` divides 200,000 requests among the platforms. `HOSTILE_REQUESTS=50000` makes as many on each. */
const COUNT = Number(process.env['HOSTILE_REQUESTS'] ?? (IS_LONG ? 66_667 : sample.choose(400, 5000)));

/** A million requests for each `RANDOM_SEED`. */
const FIRST = Number(process.env['RANDOM_SEED'] ?? 1) * 1_000_000;

/** After so many requests, the rows that they have changed are restored. */
const RESTORE = 250;

/** The number of findings after which the test stops. */
const MOST_FINDINGS = 5;

interface Finding {
  readonly engine: string;
  readonly faults: readonly string[];
  readonly seed?: number;
  /** As the corpus has it. */
  readonly request: HostileRequest;
  readonly response: unknown;
}

/** Requests that have found a fault, with its description. A new finding is added with its `request`. */
const CORPUS = JSON.parse(readFileSync(new URL('hostile-corpus.json', import.meta.url), 'utf8')) as readonly {
  readonly found: string;
  readonly request: HostileRequest;
}[];

onPlatforms('hostile requests', (platform) => {
  let suite: HostileApps;

  beforeAll(async () => {
    suite = await startHostileApps(platform);
  }, 60_000);
  afterAll(() => suite.close());

  const statuses = new Map<number, number>();

  async function findingsOf(app: HostileApp, request: HostileRequest, { hasRules } = app): Promise<readonly Finding[]> {
    const response = await app.client.send(request);
    if (typeof response === 'object') statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    const faults = faultsOf(request, response, hasRules);
    return faults.length === 0 ? [] : [{ engine: app.name, faults, request, response }];
  }

  it.each(CORPUS)('that have found a fault before are answered: $found', async ({ request }) => {
    await suite.restore();
    for (const app of suite.apps) expect(await findingsOf(app, request)).toEqual([]);
  });

  it(
    'are answered in the format of their style, without a 5xx, and without hidden rows and values',
    async () => {
      const findings: Finding[] = [];
      let index = 0;
      for (const { seed, request } of hostileRequests(FIRST, COUNT)) {
        if (index % RESTORE === 0) await suite.restore();
        for (const app of suite.apps.filter((_, number) => number === index % suite.apps.length)) {
          findings.push(...(await findingsOf(app, request)).map((finding) => ({ seed, ...finding })));
        }
        if (findings.length >= MOST_FINDINGS) break;
        index += 1;
      }
      expect(findings).toEqual([]);
      // A test with only rejected requests would prove little.
      const answered = [200, 201, 204].reduce((sum, status) => sum + (statuses.get(status) ?? 0), 0);
      expect(answered).toBeGreaterThan(COUNT / 20);
      expect(statuses.get(400)).toBeGreaterThan(COUNT / 20);
      expect(suite.log.filter((line) => /panic|memory access out of bounds/i.test(line))).toEqual([]);
    },
    60_000 + COUNT * 50,
  );

  it('fail the judge if no rule hides rows', async () => {
    await suite.restore();
    const open = suite.apps.filter(({ hasRules }) => !hasRules);
    const request: HostileRequest = { method: 'GET', target: '/api/rest/post', headers: [] };
    for (const app of open) expect(await findingsOf(app, request, { ...app, hasRules: true })).toHaveLength(1);
    const owner: HostileRequest = { ...request, headers: [['X-User-Id', 'owner']] };
    for (const { client } of suite.apps) expect(await client.send(owner)).toMatchObject({ text: expect.stringContaining(CANARY.row) });
  });
});
