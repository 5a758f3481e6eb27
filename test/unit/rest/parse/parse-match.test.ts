import { describe, expect, it } from '@jest/globals';
import type { ResourceIntent } from '../../../../lib/rest/parse/write-intent.js';
import { errorOf, problemsOf } from '../write-fixture.js';
import { POST, create, update, type CreateOptions } from './parse-document-helpers.js';

describe('parseMatch', () => {
  const upsert = (meta: object, data: object = POST, options: CreateOptions = {}): ResourceIntent =>
    create({ data, meta: { operation: 'upsert', ...meta } }, options);

  it('reads the key that it matches by', () => {
    expect(upsert({ matchFields: ['slug'] })).toMatchObject({ kind: 'upsert', match: { name: 'slug' } });
  });

  it('reads a compound key in any order', () => {
    const data = { ...POST, attributes: { ...POST.attributes, year: 2024, edition: 1 } };
    expect(upsert({ matchFields: ['edition', 'year'] }, data)).toMatchObject({ match: { name: 'year_edition' } });
  });

  it('reads `id` as the id of the resource, given either way', () => {
    const data = { type: 'country', attributes: { name: 'France' } };
    expect(upsert({ matchFields: ['id'] }, { ...data, id: 'FR' }, { type: 'country' })).toMatchObject({ match: { name: 'code' } });
    expect(upsert({ matchFields: ['code'] }, { ...data, id: 'FR' }, { type: 'country' })).toMatchObject({ match: { name: 'code' } });
  });

  it.each([
    ['no matchFields', {}, "invalid-payload '/meta'"],
    ['matchFields that are no array', { matchFields: 'slug' }, "invalid-payload '/meta/matchFields'"],
    ['matchFields without a name', { matchFields: [] }, "invalid-payload '/meta/matchFields'"],
    ['a name that is no text', { matchFields: [7] }, "invalid-payload '/meta/matchFields/0'"],
    ['an unknown attribute', { matchFields: ['slug', 'nothing'] }, "invalid-payload '/meta/matchFields/1'"],
    ['a relationship whose key is elsewhere', { matchFields: ['tags'] }, "invalid-payload '/meta/matchFields/0'"],
    ['a relationship whose key is not unique', { matchFields: ['author'] }, "invalid-payload '/meta/matchFields'"],
    ['a key that is not unique', { matchFields: ['title'] }, "invalid-payload '/meta/matchFields'"],
    ['half of a unique key', { matchFields: ['year'] }, "invalid-payload '/meta/matchFields'"],
    ['more than a unique key', { matchFields: ['slug', 'title'] }, "invalid-payload '/meta/matchFields'"],
    ['a field without a value', { matchFields: ['year', 'edition'] }, "invalid-payload '/meta/matchFields'"],
    ['another operation', { operation: 'upsret' }, "invalid-payload '/meta/operation'"],
  ])('refuses %s', (_, meta, problem) => {
    expect(problemsOf(() => upsert(meta))[0]).toBe(problem);
  });

  it('refuses null as the value of a field that it matches by', () => {
    const data = { ...POST, attributes: { ...POST.attributes, year: 2024, edition: null } };
    expect(problemsOf(() => upsert({ matchFields: ['year', 'edition'] }, data))).toEqual(["invalid-payload '/meta/matchFields'"]);
  });

  it('takes the value of a foreign key from the relationship', () => {
    const linkedTo = (data: unknown): object => ({ type: 'badge', relationships: { user: { data } } });
    const badge = (data: unknown): ResourceIntent => upsert({ matchFields: ['user'] }, linkedTo(data), { type: 'badge' });
    expect(badge({ type: 'user', id: '1' })).toMatchObject({ match: { name: 'userId' } });
    expect(problemsOf(() => badge(null))).toEqual(["invalid-payload '/meta/matchFields'"]);
    expect(problemsOf(() => upsert({ matchFields: ['user'] }, { type: 'badge' }, { type: 'badge' }))).toEqual([
      "invalid-payload '/meta/matchFields'",
    ]);
  });

  it('does not match by a hidden or an unfilterable field', () => {
    const resources = { Post: { fields: { slug: { filter: false } } } };
    expect(problemsOf(() => upsert({ matchFields: ['slug'] }, POST, { resources }))).toEqual(["invalid-payload '/meta/matchFields'"]);
  });

  it('is a create and an update: both actions must be open, and both rights of each field', () => {
    const closed = { resources: { Post: { actions: ['create', 'read'] } } } as const;
    expect(errorOf(() => upsert({ matchFields: ['slug'] }, POST, closed))).toMatchObject({
      status: 403,
      problems: [{ code: 'forbidden' }],
    });
    const data = { type: 'user', attributes: { email: 'a@b.c', locale: 'de' } };
    expect(problemsOf(() => upsert({ matchFields: ['email'] }, data, { type: 'user' }))).toEqual([
      "invalid-payload '/data/attributes/locale'",
    ]);
  });

  it('may match by an immutable field, which it does not change', () => {
    const resources = { Post: { fields: { slug: 'immutable' } } } as const;
    expect(upsert({ matchFields: ['slug'] }, POST, { resources })).toMatchObject({ kind: 'upsert' });
  });

  it('requires the attributes and relationships that a create requires', () => {
    expect(problemsOf(() => upsert({ matchFields: ['slug'] }, { type: 'post', attributes: { slug: 'a' } }))).toHaveLength(2);
  });

  it('is ignored in an update', () => {
    expect(update({ data: { type: 'post' }, meta: { operation: 'upsert' } })).toMatchObject({ kind: 'update' });
  });
});
