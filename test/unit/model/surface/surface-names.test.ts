import { describe, expect, it } from '@jest/globals';
import { buildResourceModel } from '../../../../lib/model/build-resource-model.js';
import { belongsTo, hasMany, ID, keyOf, modelOf, scalar, schemaOf } from '../schema-builder.js';

/** Every name of a model, field, table or column that is hidden below begins with this. */
const MARK = 'secret';

const SCHEMA = schemaOf({
  Member: modelOf(
    {
      secretTenant: scalar('Int', { api: 'hidden' }),
      secretId: scalar('Int', { api: 'hidden', column: 'secret_id' }),
      handle: scalar('String'),
      secretCode: scalar('String', { api: 'hidden' }),
      posts: hasMany('Post', 'author'),
      edits: hasMany('Post', 'editor'),
      secretNotes: hasMany('SecretNote', 'member'),
    },
    {
      primaryKey: keyOf('secretTenant', 'secretId'),
      uniqueKeys: [keyOf('handle'), keyOf('secretCode'), { ...keyOf('secretCode', 'handle'), constraint: 'secret_constraint' }],
    },
  ),
  Post: modelOf(
    {
      id: ID,
      secretTenant: scalar('Int', { api: 'hidden' }),
      authorId: scalar('Int'),
      author: belongsTo('Member', 'posts', { fields: ['secretTenant', 'authorId'], references: ['secretTenant', 'secretId'] }),
      editorId: scalar('Int'),
      editor: belongsTo('Member', 'edits', { fields: ['secretTenant', 'editorId'], references: ['secretTenant', 'secretId'] }),
    },
    { table: 'secret_posts' },
  ),
  SecretNote: modelOf({
    id: ID,
    memberId: scalar('Int'),
    member: belongsTo('Member', 'secretNotes', { fields: ['memberId'], references: ['secretId'] }),
  }),
});

describe('the surface', () => {
  it('has no name of anything hidden, nor of a table, column or constraint, at any depth', () => {
    const { model } = buildResourceModel(SCHEMA, { resources: { Member: { externalId: 'handle' }, SecretNote: 'hidden' } });
    const { storage, ...surface } = model;
    expect(namesIn(surface).filter((name) => name.toLowerCase().includes(MARK))).toEqual([]);
    expect(namesIn(surface)).toEqual(expect.arrayContaining(['handle', 'author']));
    // The same walk finds them where they are.
    expect(namesIn(storage)).toEqual(
      expect.arrayContaining(['secretTenant', 'secret_id', 'secretCode', 'secret_posts', 'SecretNote', 'secret_constraint']),
    );
  });
});

/** Every text in a value: keys and values of objects, maps, sets and lists. */
function namesIn(value: unknown, seen = new Set<unknown>()): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  if (value instanceof Map) return [...value].flatMap((entry) => namesIn(entry, seen));
  if (value instanceof Set || Array.isArray(value)) return [...(value as Iterable<unknown>)].flatMap((element) => namesIn(element, seen));
  return Object.entries(value).flatMap(([key, member]) => [key, ...namesIn(member, seen)]);
}
