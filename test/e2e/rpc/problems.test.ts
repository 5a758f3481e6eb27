import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

onPlatforms('problems of RPC errors', (platform) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform, database });
  });
  beforeEach(() => database.reset());
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  it.each<[string, unknown, readonly object[]]>([
    ['tag/create', { data: { name: 'nest' } }, [{ path: 'data.name', code: 'unique-conflict' }]],
    ['tag/createMany', { data: [{ name: 'nest' }] }, [{ path: 'data.0.name', code: 'unique-conflict' }]],
    ['tag/createMany', { data: [{ name: 'new' }, { name: 'nest' }] }, [{ path: 'data', code: 'unique-conflict' }]],
    ['tag/upsert', { where: { id: 99 }, create: { name: 'nest' }, update: {} }, [{ path: 'create.name', code: 'unique-conflict' }]],
    [
      'tag/upsert',
      { where: { id: 1 }, create: { id: 1 }, update: { name: 'nest' } },
      [{ path: 'create.name', message: 'is missing: Tag needs it.' }],
    ],
    [
      'post/findMany',
      { where: { id: 'x' } },
      [{ path: 'where.id', message: expect.stringMatching(/^must be an integer/), code: 'invalid-value' }],
    ],
    [
      'post/create',
      { data: { authorId: 1, title: 'x', tags: { create: [{ name: 'a' }, { name: 5 }] } } },
      [{ path: 'data.tags.create.1.name' }],
    ],
  ])('%s %j has a problem for each value', async (operation, args, problems) => {
    const { error } = await app.rpc.call(operation, args);
    expect(error).toMatchObject({ problems });
  });

  it('have the position of the operation of a batch before the path', async () => {
    const tags = ['new', 'nest'].map((name) => ({ model: 'tag', op: 'create', args: { data: { name } } }));
    expect((await app.rpc.sequential(tags)).error).toMatchObject({ problems: [{ path: '[1].data.name', code: 'unique-conflict' }] });
    const unknown = { model: 'tag', op: 'create', args: { data: { nmae: 'x' } } };
    expect((await app.rpc.sequential([...tags, unknown])).error).toMatchObject({
      problems: [{ path: '[2].data.nmae', message: "is an unknown argument. Did you mean 'name'?", code: 'invalid-payload' }],
    });
  });
});
