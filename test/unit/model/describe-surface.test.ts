import { expect, it } from '@jest/globals';
import { buildResourceModel } from '../../../lib/model/build-resource-model.js';
import { describeSurface } from '../../../lib/model/describe-surface.js';
import { belongsTo, hasMany, ID, modelOf, scalar, schemaOf } from './schema-builder.js';

it('describes what is open of each model, as plain data', () => {
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
      attributes: [
        { name: 'id', member: 'id', rights: all },
        { name: 'email', member: 'mail', rights: ['read', 'filter:equals,in', 'sort', 'create'] },
        { name: 'secret', member: 'secret', rights: ['create', 'update'] },
      ],
      relationships: [{ name: 'posts', member: 'posts', rights: ['read', 'filter', 'sort'], target: 'Post' }],
    },
    { model: 'Post', type: 'post', actions: ['read'], attributes: [{ name: 'id', member: 'id', rights: all }], relationships: [] },
  ]);
});
