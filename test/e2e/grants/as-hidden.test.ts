import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { sample } from '../../support/sample.js';
import { type OutgoingRequest, sendRequest } from '../../support/send-request.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { GRANT_SETS, GRANTED_RESOURCES, GRANTS, plainResources } from './support/granted-resources.js';
import { HOSTILE_REQUESTS } from './support/hostile-requests.js';

/**
 * The one thing that grants promise: what a caller may not do is to that caller as what nobody may do. So each answer is compared, byte by byte, with that
 * of an application in which exactly the same is hidden from all.
 */
onPlatforms('what takes a grant is as hidden to callers without it as what is hidden from all', (platform) => {
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

  describe.each(GRANT_SETS.map((held) => [held.join(' and ') || 'nothing', held] as const))('to who holds %s', (_, held) => {
    const requests = sample.inTurn(GRANT_SETS, sample.oneIn(3, HOSTILE_REQUESTS)).filter(([set]) => set === held);

    let plain: TestApp;

    beforeAll(async () => {
      plain = await startTestApp({ platform, database, options: { resources: plainResources(held), rest: { operations: true } } });
    });
    afterAll(() => plain.close());

    it.each(requests.map(([, titled]) => titled))('%s', async (_title, request) => {
      const own = await ask(app, { ...request, headers: { ...request.headers, 'X-Grants': held.join(' ') } });
      const other = await ask(plain, request);
      expect(own).toEqual(other);
    });
  });

  async function ask({ agent }: TestApp, request: OutgoingRequest): Promise<object> {
    await database.reset();
    const { status, headers, text } = await sendRequest(agent, request);
    return { status, headers: { ...headers, date: '' }, text: timeless(text) };
  }
});

/** Without ids of errors, and without the times of what was just written. */
function timeless(text: string): string {
  return text
    .replace(/[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/g, '{id}')
    .replace(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, (time) => (time.startsWith('2026-01') ? time : '{now}'));
}
