import { expect, it } from '@jest/globals';
import { buildResourceModel } from '../../../../lib/model/build-resource-model.js';
import { describeSurface } from '../../../../lib/model/surface/describe-surface.js';
import { belongsTo, hasMany, ID, keyOf, modelOf, scalar, schemaOf } from '../schema-builder.js';

it('describes what is exposed of each model, as plain data', () => {
  const schema = schemaOf({
    User: modelOf({ id: ID, email: scalar('String'), secret: scalar('String'), posts: hasMany('Post', 'author') }),
    Post: modelOf({ id: ID, authorId: scalar('Int'), author: belongsTo('User', 'posts', { fields: ['authorId'] }) }),
    Audit: modelOf({ id: ID }),
  });
  const { model } = buildResourceModel(schema, {
    resources: {
      User: {
        type: 'people',
        actions: ['update', 'read'],
        fields: { email: { name: 'mail', filter: ['equals', 'in'], update: false }, secret: 'writeOnly', posts: 'readOnly' },
      },
      Post: { actions: ['read'], fields: { author: 'hidden' } },
      Audit: 'hidden',
    },
  });
  const all = ['read', 'filter', 'sort', 'create', 'update'];
  expect(JSON.parse(JSON.stringify(describeSurface(model)))).toEqual([
    {
      model: 'User',
      type: 'people',
      actions: ['read', 'update'],
      rows: { read: 'open', create: 'closed', update: 'open', delete: 'closed' },
      attributes: [
        { name: 'id', member: 'id', rights: all, closed: {} },
        { name: 'email', member: 'mail', rights: ['read', 'filter:equals,in', 'sort', 'create'], closed: { update: 'option' } },
        { name: 'secret', member: 'secret', rights: ['create', 'update'], closed: { read: 'option', filter: 'option', sort: 'option' } },
      ],
      relationships: [
        {
          name: 'posts',
          member: 'posts',
          rights: ['read', 'filter', 'sort'],
          closed: { create: 'option', update: 'option' },
          target: 'Post',
        },
      ],
    },
    {
      model: 'Post',
      type: 'post',
      actions: ['read'],
      rows: { read: 'open', create: 'closed', update: 'closed', delete: 'closed' },
      attributes: [{ name: 'id', member: 'id', rights: all, closed: {} }],
      relationships: [],
    },
  ]);
});

it.each<[field: string, closed: object]>([
  ['hash', { read: 'comment', filter: 'comment', sort: 'comment' }],
  ['pin', { read: 'option', filter: 'option', sort: 'option' }],
  ['author', { update: 'key-and-relation' }],
  ['reviewer', { read: 'unreadable-model', filter: 'unreadable-model', sort: 'unreadable-model' }],
  ['bossId', { filter: 'hidden-values', sort: 'hidden-values', create: 'hidden-values', update: 'hidden-values' }],
  ['cards', { create: 'key-of-target', update: 'key-of-target' }],
  ['groupId', { sort: 'hidden-model', create: 'hidden-model', update: 'hidden-model' }],
])('has the reason for each closed right of %s', (field, closed) => {
  const schema = schemaOf({
    User: modelOf({ id: ID, handle: scalar('String'), posts: hasMany('Post', 'author') }, { uniqueKeys: [keyOf('handle')] }),
    Boss: modelOf({ id: ID, handle: scalar('String'), posts: hasMany('Post', 'boss') }, { uniqueKeys: [keyOf('handle')] }),
    Reviewer: modelOf({ id: ID, posts: hasMany('Post', 'reviewer') }),
    Group: modelOf({ id: ID, posts: hasMany('Post', 'group') }),
    Card: modelOf({ id: ID, postId: scalar('Int'), post: belongsTo('Post', 'cards', { fields: ['postId'] }) }),
    Post: modelOf({
      id: ID,
      hash: scalar('String', { api: 'writeOnly' }),
      pin: scalar('String'),
      authorId: scalar('Int'),
      author: belongsTo('User', 'posts', { fields: ['authorId'] }),
      bossId: scalar('Int'),
      boss: belongsTo('Boss', 'posts', { fields: ['bossId'] }),
      reviewerId: scalar('Int'),
      reviewer: belongsTo('Reviewer', 'posts', { fields: ['reviewerId'] }),
      groupId: scalar('Int'),
      group: belongsTo('Group', 'posts', { fields: ['groupId'] }),
      cards: hasMany('Card', 'post'),
    }),
  });
  const { model } = buildResourceModel(schema, {
    resources: {
      Boss: { externalId: 'handle', fields: { id: 'hidden' } },
      Group: 'hidden',
      Reviewer: { actions: ['create', 'update'] },
      Card: { fields: { postId: 'readOnly' } },
      Post: {
        fields: { pin: { read: false }, authorId: 'immutable', bossId: { read: true }, groupId: { read: true, filter: ['equals'] } },
      },
    },
  });
  const post = describeSurface(model).find((entry) => entry.model === 'Post');
  const found = [...(post?.attributes ?? []), ...(post?.relationships ?? [])].find(({ name }) => name === field);
  expect(found?.closed).toEqual(closed);
});
