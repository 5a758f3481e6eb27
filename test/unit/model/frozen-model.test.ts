import { describe, expect, it } from '@jest/globals';
import { buildResourceModel } from '../../../lib/model/build-resource-model.js';
import type { SchemaModel } from '../../../lib/model/schema/resource-schema.js';
import { belongsTo, BLOG, hasMany, ID, modelOf, scalar, schemaOf } from './schema-builder.js';

describe('the resource model', () => {
  it('is frozen, everything in it included', () => {
    const { model } = buildResourceModel(BLOG, { resources: { User: { fields: { email: { filter: ['equals'] } }, validate: {} } } });
    const seen = new Set<unknown>();
    visit(model, seen);
    expect(seen.size).toBeGreaterThan(50);
    expect([...seen].filter((value) => !Object.isFrozen(value))).toEqual([]);
  });

  it('has maps and sets that refuse to change', () => {
    const { model } = buildResourceModel(BLOG);
    const map = model.byType as Map<string, unknown>;
    const actions = model.resources[0]?.actions as Set<unknown>;
    for (const change of [
      () => map.set('x', 1),
      () => map.delete('user'),
      () => {
        map.clear();
      },
    ])
      expect(change).toThrow('frozen');
    for (const change of [
      () => actions.add('x'),
      () => actions.delete('read'),
      () => {
        actions.clear();
      },
    ])
      expect(change).toThrow('frozen');
    expect([map.size, actions.size]).toEqual([3, 4]);
  });

  it('leaves the schema and the options as they are', () => {
    const resources = { Post: { actions: ['read'], fields: { title: { filter: ['equals'] } } } } as const;
    const before = JSON.stringify([BLOG, resources]);
    buildResourceModel(BLOG, { resources });
    expect(JSON.stringify([BLOG, resources])).toBe(before);
    expect([Object.isFrozen(resources.Post), Object.isFrozen(BLOG.models)]).toEqual([false, false]);
  });

  it('of 300 models that are all related is built', () => {
    const COUNT = 300;
    const name = (index: number): string => `Model${(index + COUNT) % COUNT}`;
    const model = (index: number): SchemaModel => {
      const scalars = Array.from({ length: 20 }, (_, field) => [`field${field}`, scalar('String')] as const);
      return modelOf({
        id: ID,
        ...Object.fromEntries(scalars),
        nextId: scalar('Int'),
        next: belongsTo(name(index + 1), 'previous', { fields: ['nextId'] }),
        previous: hasMany(name(index - 1), 'next'),
      });
    };
    const schema = schemaOf(Object.fromEntries(Array.from({ length: COUNT }, (_, index) => [name(index), model(index)])));
    const built = buildResourceModel(schema);
    expect(built.model.resources).toHaveLength(COUNT);
    expect(built.model.byModel.get('Model0')?.relationships.map(({ target }) => target.model)).toEqual(['Model1', 'Model299']);
  });
});

/** Collects every object that can be reached. */
function visit(value: unknown, seen: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  if (value instanceof Map || value instanceof Set) for (const item of value.values()) visit(item, seen);
  for (const item of Object.values(value)) visit(item, seen);
}
