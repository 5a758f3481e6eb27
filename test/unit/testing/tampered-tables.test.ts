import type { ResourceModel } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { long } from '../../support/long.js';
import { CODE, expectSurfaces, HASH, leaksOf, SECRET } from './leak-suite.js';
import { type OpenResource, tamperedModel } from './tampered-model.js';

/** Each test removes one check of the package, and expects exactly its leak to be reported. */

long.describe('assertNoLeak reports one table of the model that holds a hidden field', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await openTestDatabase();
  });

  afterAll(() => database.close());

  const openHash = { User: { fields: { passwordHash: 'immutable' } } } as const;
  const openCode = { User: { fields: { recoveryCode: 'immutable' } } } as const;

  type Table = 'fields' | 'members' | 'attributes' | 'uniqueKeys' | 'relationships';
  const withTable = (open: Parameters<typeof tamperedModel>[0], model: string, table: Table): ResourceModel =>
    tamperedModel(open, (closed, opened) => {
      Object.assign(find(closed, model), { [table]: find(opened, model)[table] });
    });

  it.each([
    ['fields', /^RPC/, 'RPC user/findMany where {"passwordHash":"assert-no-leak"}'],
    ['members', /^REST/, 'REST /user?filter[passwordHash]=assert-no-leak'],
    ['attributes', /./, 'RPC user/aggregate _max'],
    ['attributes', /./, 'RPC user/findMany by default'],
  ] as const)('in %s', async (table, styles, expected) => {
    expectSurfaces(await leaksOf(HASH, { database, model: withTable(openHash, 'User', table) }), [expected], styles);
  });

  it('in uniqueKeys', async () => {
    const leaks = await leaksOf(CODE, { database, model: withTable(openCode, 'User', 'uniqueKeys') });
    expectSurfaces(
      leaks,
      ['RPC user/findUnique where by recoveryCode', 'RPC post/update data.author.connect by recoveryCode'],
      /by recoveryCode|recoveryCode":"assert-no-leak"|where, beside|cursor/,
    );
  });

  it('in the target of one relation only', async () => {
    const model = tamperedModel(openHash, (closed, opened) => {
      const post = find(closed, 'Post');
      const author = post.fields.get('author');
      const target = find(opened, 'User');
      if (author?.kind !== 'relationship') throw new TypeError('Post has no author.');
      const fields = new Map(post.fields).set('author', { ...author, target });
      Object.assign(post, { fields, members: fields });
    });
    expectSurfaces(
      await leaksOf(HASH, { database, model }),
      [
        'REST /post?filter[author][passwordHash]=assert-no-leak',
        'REST /post?sort=author.passwordHash',
        'RPC post/findMany include author.select',
      ],
      /author/,
    );
  });

  it('as a model that is in the table of one style', async () => {
    const tampered = tamperedModel({ ApiToken: {} }, (closed, opened) => {
      const token = find(opened, 'ApiToken');
      (closed as Map<string, OpenResource>).set('ApiToken', token);
    });
    const { byType } = tamperedModel({}, () => undefined);
    expectSurfaces(await leaksOf(SECRET, { database, model: { ...tampered, byType } }), ['RPC apiToken/findMany by default'], /^RPC/);
  });
});

function find(resources: ReadonlyMap<string, OpenResource>, model: string): OpenResource {
  const resource = resources.get(model);
  if (!resource) throw new TypeError(`There is no ${model}.`);
  return resource;
}
