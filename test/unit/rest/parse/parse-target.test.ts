import { describe, expect, it } from '@jest/globals';
import { parseCollectionTarget, parseRelationshipTarget, parseResourceTarget } from '../../../../lib/rest/parse/parse-target.js';
import { errorOf, readContext } from '../read-fixture.js';

const context = readContext();

function failure(run: () => unknown): string {
  const { status, problems } = errorOf(run);
  return `${status} ${problems[0].code}: ${problems[0].detail}`;
}

describe('parseCollectionTarget', () => {
  it('finds a type without regard to case (D10)', () => {
    expect(parseCollectionTarget('read', { type: 'POST' }, context).resource.model).toBe('Post');
  });

  it.each(['pots', '__proto__', 'constructor', ''])('answers 404 for the type %j', (type) => {
    expect(failure(() => parseCollectionTarget('read', { type }, context))).toMatch(/^404 unsupported-model: There is no resource type/);
  });

  it('suggests the type that was meant', () => {
    expect(failure(() => parseCollectionTarget('read', { type: 'pots' }, context))).toBe(
      "404 unsupported-model: There is no resource type 'pots'. Did you mean 'post'?",
    );
  });

  it('refuses a closed action before it reads the id, and answers 404 for a hidden resource', () => {
    const exposed = readContext({ resources: { Post: { actions: ['create'] }, Tag: 'hidden' } });
    expect(failure(() => parseResourceTarget('read', { type: 'post', id: 'x' }, exposed))).toBe('403 forbidden: post cannot be read here.');
    expect(failure(() => parseCollectionTarget('read', { type: 'tag' }, exposed))).toBe(
      "404 unsupported-model: There is no resource type 'tag'.",
    );
  });
});

describe('parseResourceTarget', () => {
  it.each([
    ['post', '1', { id: 1 }],
    ['line', '1_a', { orderId: 1n, sku: 'a' }],
    ['line', '1_a\\_b', { orderId: 1n, sku: 'a_b' }],
  ])('reads the id of /%s/%s', (type, id, values) => {
    expect(parseResourceTarget('read', { type, id }, context).id).toEqual({ values, text: id });
  });

  it.each([
    ['post', '1abc'],
    ['post', '\0'],
    ['post', ''],
    ['post', '01'],
    ['post', '9'.repeat(10_000)],
    ['line', '1'],
    ['line', 'x_a'],
    ['line', '1_a_b'],
  ])('refuses /%s/%j', (type, id) => {
    expect(failure(() => parseResourceTarget('read', { type, id }, context))).toBe(`400 invalid-id: This cannot be an id of ${type}.`);
  });
});

describe('parseRelationshipTarget', () => {
  const read = (relationship: string, of = context): string =>
    parseRelationshipTarget('read', 'related', { type: 'comment', id: '1', relationship }, of).relationship.name;

  it('finds a relationship by its member name', () => {
    expect(read('author')).toBe('author');
    expect(read('writer', readContext({ resources: { Comment: { fields: { author: { name: 'writer' } } } } }))).toBe('author');
  });

  it.each(['autor', 'body', 'constructor', '__proto__', 'Author'])('answers 404 for the relationship %s', (name) => {
    expect(failure(() => read(name))).toMatch(/^404 unsupported-relationship: comment has no relationship/);
  });

  it('refuses to read one that leads to resources closed to readers', () => {
    const closed = readContext({ resources: { User: { actions: ['create'] } } });
    expect(failure(() => read('author', closed))).toBe("403 forbidden: The relationship 'author' cannot be read here.");
    expect(parseRelationshipTarget('update', 'relationship', { type: 'comment', id: '1', relationship: 'author' }, closed).kind).toBe(
      'relationship',
    );
  });
});
