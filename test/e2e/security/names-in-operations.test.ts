import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { resourceSchema } from '../../support/generated/names/resource-schema.js';
import { type NamesDatabase, openNamesDatabase } from '../../support/names-database.js';
import { operationsOf, sendOperations } from '../rest/operations-suite.js';
import { NAMES, NOTHING_CLOSED } from './support/names-suite.js';

onPlatforms('operations on relations with the names of arguments', (platform) => {
  let database: NamesDatabase;
  let app: TestApp | undefined;

  beforeAll(async () => {
    database = await openNamesDatabase();
  });
  beforeEach(() => database.reset());
  afterEach(() => app?.close());
  afterAll(() => database.close());

  async function start(withRules: boolean): Promise<TestApp> {
    const options = { schema: resourceSchema, getClient: () => database.prisma, rest: { operations: true } };
    return (app = await startTestApp({ platform, options: { ...options, ...(withRules && { rules: NOTHING_CLOSED }) } }));
  }

  it.each([false, true])('AO-24: link resources of earlier operations (under rules: %s)', async (withRules) => {
    const toAccount = (index: number) => ({ data: { type: 'account', lid: `a${index}` } });
    const accounts = NAMES.map((name, index) => ({
      op: 'add',
      data: { type: 'account', lid: `a${index}`, attributes: { name: `new ${name}` } },
    }));
    const relationships = Object.fromEntries(NAMES.map((name, index) => [name, toAccount(index)]));
    const answer = await sendOperations(
      await start(withRules),
      operationsOf(
        ...accounts,
        { op: 'add', data: { type: 'tool', lid: 't', attributes: { name: 'new', delete: 'x' }, relationships } },
        { op: 'update', ref: { type: 'tool', lid: 't', relationship: 'data' }, data: { type: 'account', lid: 'a1' } },
        { op: 'add', ref: { type: 'account', lid: 'a0', relationship: 'set' }, data: [{ type: 'tool', lid: 't' }] },
      ),
    );
    expect([answer.status, answer.errors]).toEqual([200, []]);
    const include = Object.fromEntries(NAMES.map((name) => [name, { select: { name: true } }]));
    const tool = await database.prisma.tool.findFirst({ where: { name: 'new' }, include });
    const linked = Object.fromEntries(NAMES.map((name) => [name, { name: `new ${name}` }]));
    expect(tool).toMatchObject({ ...linked, data: { name: `new ${NAMES[1] ?? ''}` }, set: { name: `new ${NAMES[0] ?? ''}` } });
  });
});
