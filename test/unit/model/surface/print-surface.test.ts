import { buildResourceModel } from '../../../../lib/model/build-resource-model.js';
import { describeSurface } from '../../../../lib/model/surface/describe-surface.js';
import { printRows, printSurface } from '../../../../lib/model/surface/print-surface.js';
import type { ResourcesOption } from '../../../../lib/model/exposure/resources-option.js';
import { belongsTo, hasMany, ID, modelOf, scalar, schemaOf } from '../schema-builder.js';

const SCHEMA = schemaOf({
  User: modelOf({
    id: ID,
    email: scalar('String'),
    secret: scalar('String', { api: 'hidden' }),
    pin: scalar('String', { api: 'writeOnly' }),
    posts: hasMany('Post', 'author'),
  }),
  Post: modelOf({ id: ID, authorId: scalar('Int'), author: belongsTo('User', 'posts', { fields: ['authorId'] }) }),
});

function linesOf(resources: ResourcesOption): readonly string[] {
  return describeSurface(buildResourceModel(SCHEMA, { resources }).model).map(printSurface);
}

const ALL = 'read, filter, sort, create, update';

describe('printSurface', () => {
  it('groups fields and relationships by their rights', () => {
    expect(linesOf({})).toEqual([
      `User is open to read, create, update, delete as user: id, email, posts (${ALL}); pin (create, update)`,
      `Post is open to read, create, update, delete as post: id, authorId, author (${ALL})`,
    ]);
  });

  it('prints renamed fields and the operators of a filter', () => {
    expect(
      linesOf({
        Post: 'hidden',
        User: { type: 'people', actions: ['read'], fields: { email: { name: 'mail', filter: ['equals', 'in'], sort: false } } },
      }),
    ).toEqual([
      `User is open to read as people: id (${ALL}); email as mail (read, filter by equals in, create, update); pin (create, update)`,
    ]);
  });

  it('prints that a model without actions is exposed for its relations alone', () => {
    expect(linesOf({ Post: { actions: [] } })[1]).toMatch(/^Post is open to nothing as post: /);
  });
});

describe('printRows', () => {
  it('prints whether an action reaches all rows, some or none', () => {
    const { model } = buildResourceModel(SCHEMA, { resources: { User: { actions: ['read'] } } });
    const rows = new Map([['Post', { read: 'ruled', create: 'open', update: 'ruled', delete: 'closed' }] as const]);
    expect(describeSurface({ ...model, rows }).map(printRows)).toEqual([
      'Rows of User: read open; create, update, delete closed',
      'Rows of Post: create open; read, update ruled; delete closed',
    ]);
  });
});
