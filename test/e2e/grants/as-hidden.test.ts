import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { sample } from '../../support/sample.js';
import { type OutgoingRequest, sendRequest } from '../../support/send-request.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { GRANT_SETS, GRANTED_RESOURCES, GRANTS, plainResources } from './support/granted-resources.js';
import { HOSTILE_REQUESTS } from './support/hostile-requests.js';

/**
 * Grants promise that a caller cannot tell a missing grant from a hidden member. So each response is compared, byte by byte, with that of an application
 * in which the same members are hidden from all callers.
 */
onPlatforms('responses about members that need a grant equal those about hidden members', (platform) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform, database, options: { resources: GRANTED_RESOURCES, grants: GRANTS, rest: { operations: true } } });
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  describe.each(GRANT_SETS.map((held) => [held.join(' and ') || 'no grant', held] as const))('to a caller with %s', (_, held) => {
    const requests = sample.inTurn(GRANT_SETS, sample.oneIn(3, HOSTILE_REQUESTS)).filter(([set]) => set === held);

    let plain: TestApp;

    beforeAll(async () => {
      plain = await startTestApp({ platform, database, options: { resources: plainResources(held), rest: { operations: true } } });
    });
    afterAll(() => plain.close());

    it.each(requests.map(([, titled]) => titled))('%s', async (_title, request) => {
      const own = await responseOf(app, { ...request, headers: { ...request.headers, 'X-Grants': held.join(' ') } });
      const other = await responseOf(plain, request);
      expect(own).toEqual(other);
    });
  });

  async function responseOf({ agent }: TestApp, request: OutgoingRequest): Promise<object> {
    await database.reset();
    const { status, headers, text } = await sendRequest(agent, request);
    return { status, headers: { ...headers, date: '' }, text: timeless(text) };
  }
});

/** Replaces the ids of errors, and the timestamps of rows that were just written. */
function timeless(text: string): string {
  return text
    .replace(/[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/g, '{id}')
    .replace(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, (time) => (time.startsWith('2026-01') ? time : '{now}'));
}
