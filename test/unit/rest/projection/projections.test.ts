import { describe, expect, it } from '@jest/globals';
import { printSelection } from '../../../../lib/prisma/print-selection.js';
import type { Projection } from '../../../../lib/rest/projection/projection.js';
import { collectionQuery, readContext, relatedQuery, resourceOf, resourceQuery } from '../read-fixture.js';

const context = readContext();

function projectionOf(model: string, search: string): Projection {
  return collectionQuery(context, model, search).projection;
}

describe('Projections', () => {
  it('compiles the plain one once, for collections, resources and relationships', () => {
    const plain = projectionOf('Post', '');
    expect(projectionOf('Post', 'page[limit]=2&sort=title')).toBe(plain);
    expect(projectionOf('Post', 'include=')).toBe(plain);
    expect(resourceQuery(context, ['post', '1']).projection).toBe(plain);
    expect(relatedQuery(context, ['user', '1', 'posts']).projection).toBe(plain);
  });

  it('returns the same view for the same members', () => {
    const view = projectionOf('Post', 'include=author.profile,comments&fields[post]=title,author');
    expect(projectionOf('Post', 'include=author.profile,comments&fields[post]=title,author&page[offset]=3')).toBe(view);
    expect(projectionOf('Post', 'include=author.profile,comments&fields[post]=title')).not.toBe(view);
    expect(projectionOf('Post', 'include=author,comments&fields[post]=title,author')).not.toBe(view);
  });

  it('has another one for an included member than for a member of the primary data', () => {
    expect(projectionOf('User', 'include=manager.reports')).not.toBe(projectionOf('User', 'include=manager,reports'));
    expect(projectionOf('User', 'include=manager&fields[user]=')).not.toBe(projectionOf('User', 'include=manager'));
  });

  it('ignores fieldsets of types that are not in the document', () => {
    expect(projectionOf('Post', 'fields[comment]=body')).toBe(projectionOf('Post', ''));
    expect(projectionOf('Post', 'include=author&fields[comment]=body')).toBe(projectionOf('Post', 'include=author'));
  });

  it('makes a view of the same parts as the plain one', () => {
    const plain = projectionOf('Comment', '');
    const view = projectionOf('Comment', 'include=author');
    if (plain.kind !== 'resource' || view.kind !== 'resource') throw new Error('Both show resources.');
    const [post] = plain.relationships;
    expect(view.relationships).toContain(post);
    expect(view.relationships.find(({ relationship }) => relationship.name === 'author')?.related).toBe(projectionOf('User', ''));
  });

  it('has one projection of identifiers a resource, with their selection', () => {
    const { projection } = relatedQuery(context, ['post', '1', 'relationships', 'tags']);
    expect(projection).toBe(context.projections.keyOf(resourceOf(context, 'Tag')));
    expect(printSelection(projection.selection)).toEqual({ id: true });
  });

  it('has the identity alone of an unreadable resource', () => {
    const { attributes, relationships, selection } = context.projections.bareOf(resourceOf(context, 'Line'));
    expect({ attributes, relationships, select: printSelection(selection) }).toEqual({
      attributes: [],
      relationships: [],
      select: { orderId: true, sku: true },
    });
  });

  it('keeps a limited number of views, and compiles a dropped one again', () => {
    const members = ['title', 'content', 'published', 'views', 'reads', 'price', 'createdAt', 'cover', 'metadata', 'token'];
    const first = projectionOf('Post', 'fields[post]=title');
    for (let bits = 2; bits < 402; bits++) {
      const shown = members.filter((_, index) => bits & (1 << index));
      projectionOf('Post', `fields[post]=${shown.join()}`);
    }
    const again = projectionOf('Post', 'fields[post]=title');
    expect(again).not.toBe(first);
    expect(again.selection).toEqual(first.selection);
  });
});
