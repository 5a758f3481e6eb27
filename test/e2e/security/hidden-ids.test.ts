import { call, get, row, send } from './support/attack.js';
import { describeAttacks } from './support/describe-attacks.js';
import { describeSecurity } from './support/security-suite.js';

const post = (attributes: object, relationships = {}) => ({
  method: 'POST' as const,
  path: '/post',
  body: { data: { type: 'post', attributes: { title: 'x', ...attributes }, relationships } },
});

const ADA = { data: { type: 'user', id: 'ada@example.com' } };
const IDS_HIDDEN = { User: { externalId: 'email', fields: { id: 'hidden' } }, Profile: 'hidden' } as const;

/** An application that hides the ids of users behind their addresses hides the foreign key `Post.authorId`, too. */
describeAttacks(
  'ids that are hidden behind an externalId',
  { resources: IDS_HIDDEN },
  {
    attacks: row(1, [
      get('filter by a key', '/post?filter[authorId]=1'),
      get('sort by a key', '/post?sort=authorId'),
      get('fieldset with a key', '/post?fields[post]=authorId'),
      send('key as an attribute', post({ authorId: 1 })),
      send('key as an attribute beside the relationship', post({ reviewerId: 1 }, { author: ADA })),
      call('where', 'post/findMany', { where: { authorId: 1 } }),
      call('where on the hidden id', 'post/findMany', { where: { author: { id: 1 } } }),
      call('orderBy', 'post/findMany', { orderBy: { authorId: 'asc' } }),
      call('select', 'post/findMany', { select: { authorId: true } }),
      call('distinct', 'post/findMany', { distinct: ['authorId'] }),
      call('by', 'post/groupBy', { by: ['authorId'] }),
      call('_max', 'post/aggregate', { _max: { authorId: true } }),
      call('create', 'post/create', { data: { title: 'x', authorId: 1 } }),
      call('update', 'post/update', { where: { id: 1 }, data: { reviewerId: 1 } }),
      call('connect by the hidden id', 'post/create', { data: { title: 'x', author: { connect: { id: 1 } } } }),
    ]),
    controls: row(1, [
      get('filter by the relationship', '/post?filter[author]=ada@example.com&include=author'),
      send('create by the relationship', post({}, { author: ADA })),
      call('connect by an exposed key', 'post/create', { data: { title: 'x', author: { connect: { email: 'ada@example.com' } } } }),
      call('include', 'post/findMany', { include: { author: true }, orderBy: { author: { name: 'asc' } } }),
    ]),
  },
);

describeSecurity('ids that are hidden behind an externalId', { resources: IDS_HIDDEN }, (suite) => {
  it('1. are in no response, and no error names a foreign key to them', async () => {
    const { one } = await suite.app.rest.get('/post/1?include=author');
    expect(one.relationships).toMatchObject({ author: ADA });
    expect(one.attributes).not.toHaveProperty('authorId');
    expect((await suite.app.rpc.call('post/findFirst', {})).data).not.toHaveProperty('authorId');
    const { path, body } = post({});
    expect((await suite.app.rest.post(path, body)).text).not.toContain('authorId');
  });
});
