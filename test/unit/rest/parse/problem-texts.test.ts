import { describe, expect, it } from '@jest/globals';
import { LocalIds } from '../../../../lib/rest/parse/operations/local-ids.js';
import { parseAnswerQuery } from '../../../../lib/rest/parse/parse-query.js';
import { parseLinkageTarget } from '../../../../lib/rest/parse/parse-target.js';
import { readContext, resourceOf } from '../read-fixture.js';
import { errorOf } from '../write-fixture.js';
import { create, linkWith, patchWith, POST, update } from './parse-document-helpers.js';

const context = readContext();
const closed = readContext({ resources: { Post: { fields: { tags: { update: false } }, actions: ['create', 'update'] } } });

const linkage = (change: 'add' | 'replace', relationship: string, of = context) =>
  parseLinkageTarget(change, { type: 'post', id: '1', relationship }, of);
const tags = resourceOf(context, 'Tag');

describe('the text of an error', () => {
  it.each<[string, () => unknown]>([
    ["'title' must be a string without NUL characters and lone surrogates.", () => update(patchWith({ title: 7 }))],
    ["An element of 'keywords' must be a string without NUL characters and lone surrogates.", () => update(patchWith({ keywords: [7] }))],
    ["A resource identifier needs a type, here 'user'.", () => update(linkWith({ author: { data: { id: 1 } } }))],
    ['The type must be a string.', () => update(linkWith({ author: { data: { type: 1, id: 1 } } }))],
    ["This relationship holds resources of type 'user', not 'tag'.", () => update(linkWith({ author: { data: { type: 'tag', id: 1 } } }))],
    [
      "The upsert matches by 'edition', to which its document gives no value.",
      () =>
        create({
          data: { ...POST, attributes: { ...POST.attributes, year: 2024 } },
          meta: { operation: 'upsert', matchFields: ['year', 'edition'] },
        }),
    ],
    ["'author' is to-one, which has no members to add: replace it with PATCH.", () => linkage('add', 'author')],
    ["The relationship 'tags' cannot be changed here.", () => linkage('add', 'tags', closed)],
    [
      "No operation before this one creates a tag with the lid 'a'.",
      () => {
        new LocalIds().resolve(tags, 'a');
      },
    ],
    [
      "An operation before has declared the lid 'a' of tag.",
      () => {
        const ids = new LocalIds();
        ids.declare(tags, 'a');
        ids.declare(tags, 'a');
      },
    ],
  ])('%s', (detail, run) => {
    expect(errorOf(run).problems.map((problem) => problem.detail)).toContain(detail);
  });

  it('is absent where the linkage may be changed', () => {
    expect([linkage('replace', 'author').relationship.member, linkage('add', 'tags').relationship.member]).toEqual(['author', 'tags']);
  });
});

describe('the query of the response to a write', () => {
  it('selects a readable resource with its includes, and the identity alone of an unreadable one', () => {
    const query = (of: typeof context) => parseAnswerQuery(resourceOf(of, 'Post'), 'include=author', of);
    expect(query(context)).toMatchObject({ compound: true, hasCursors: false });
    const bare = query(closed);
    expect([bare.compound, bare.hasCursors]).toEqual([false, false]);
    expect(bare.projection).not.toEqual(query(context).projection);
    expect('attributes' in bare.projection ? bare.projection.attributes : []).toEqual([]);
  });
});
