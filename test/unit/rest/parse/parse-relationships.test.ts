import { describe, expect, it } from '@jest/globals';
import { errorOf, problemsOf } from '../write-fixture.js';
import { update, valuesOf, linkageOf, patchWith, linkWith, user, tag } from './parse-document-helpers.js';

describe('parseRelationships', () => {
  it.each([
    ['a to-one', { author: { data: user('1') } }, { author: ['1'] }],
    ['a to-one with a number as the id (D2)', { author: { data: user(1) } }, { author: ['1'] }],
    ['a to-one to be cleared', { category: { data: null } }, { category: [] }],
    ['a to-many', { tags: { data: [tag(2), tag('1')] } }, { tags: ['2', '1'] }],
    ['a to-many to be emptied', { tags: { data: [] } }, { tags: [] }],
    ['a member twice: it counts once (RE-04)', { tags: { data: [tag(1), tag('1'), tag(2)] } }, { tags: ['1', '2'] }],
    ['a type in other letters', { author: { data: { type: 'USER', id: 1 } } }, { author: ['1'] }],
  ])('reads %s', (_, relationships, linkage) => {
    expect(linkageOf(update(linkWith(relationships)))).toEqual(linkage);
  });

  it.each([
    ['an unknown one', { writer: { data: null } }, "invalid-payload '/data/relationships/writer'"],
    ['one that every object has', { constructor: { data: null } }, "invalid-payload '/data/relationships/constructor'"],
    ['an attribute among them', { title: { data: null } }, "invalid-payload '/data/relationships/title'"],
    ['an identifier without data around it', { author: user(1) }, "invalid-relation-data '/data/relationships/author'"],
    ['null without data around it', { author: null }, "invalid-relation-data '/data/relationships/author'"],
    ['links alone (CR-01)', { author: { links: {} } }, "invalid-relation-data '/data/relationships/author'"],
    ['an array as a to-one', { author: { data: [user(1)] } }, "invalid-relation-data '/data/relationships/author/data'"],
    ['one identifier as a to-many', { tags: { data: tag(1) } }, "invalid-relation-data '/data/relationships/tags/data'"],
    ['null as a to-many', { tags: { data: null } }, "invalid-relation-data '/data/relationships/tags/data'"],
    ['null as a required to-one', { author: { data: null } }, "invalid-relation-data '/data/relationships/author/data'"],
    ['a bare id', { author: { data: 1 } }, "invalid-relation-data '/data/relationships/author/data'"],
    ['null among the members', { tags: { data: [null] } }, "invalid-relation-data '/data/relationships/tags/data/0'"],
    ['an identifier without type', { author: { data: { id: 1 } } }, "invalid-relation-data '/data/relationships/author/data'"],
    ['a type that is no text', { author: { data: { type: 1, id: 1 } } }, "invalid-relation-data '/data/relationships/author/data/type'"],
    ['another type', { author: { data: tag(1) } }, "type-conflict '/data/relationships/author/data/type'"],
    ['an identifier without id', { author: { data: { type: 'user' } } }, "invalid-relation-data '/data/relationships/author/data'"],
    ['an id that is null', { author: { data: user(null) } }, "invalid-relation-data '/data/relationships/author/data'"],
    ['an id that is an object', { author: { data: user({ not: 0 }) } }, "invalid-payload '/data/relationships/author/data/id'"],
    ['an id of another kind', { author: { data: user('1abc') } }, "invalid-id '/data/relationships/author/data/id'"],
    ['an empty id', { author: { data: user('') } }, "invalid-id '/data/relationships/author/data/id'"],
    ['a fraction as an id', { author: { data: user(1.5) } }, "invalid-id '/data/relationships/author/data/id'"],
    ['a lid (ID-05)', { author: { data: { type: 'user', lid: 'a' } } }, "invalid-relation-data '/data/relationships/author/data/lid'"],
  ])('refuses %s', (_, relationships, problem) => {
    expect(problemsOf(() => update(linkWith(relationships)))).toEqual([problem]);
  });

  it('answers 409 to another type in linkage (CR-04, RE-12)', () => {
    expect(errorOf(() => update(linkWith({ author: { data: tag(1) } })))).toMatchObject({ status: 409 });
  });

  it.each([
    ['on the row', { authorId: 1 }, { author: { data: user(1) } }],
    ['even where they agree on nothing', { categoryId: null }, { category: { data: null } }],
  ])('refuses a foreign key beside its relationship, %s (D6)', (_, attributes, relationships) => {
    const [key] = Object.keys(attributes);
    expect(problemsOf(() => update({ data: { type: 'post', attributes, relationships } }))).toEqual([
      `invalid-payload '/data/attributes/${key ?? ''}'`,
    ]);
  });

  it('takes one foreign key beside the relationship of another', () => {
    const intent = update({ data: { type: 'post', attributes: { authorId: 1 }, relationships: { category: { data: null } } } });
    expect([valuesOf(intent), linkageOf(intent)]).toEqual([{ authorId: 1 }, { category: [] }]);
  });

  it('refuses more members than maxBatchSize, naming the limit', () => {
    const body = linkWith({ tags: { data: [tag(1), tag(2), tag(3)] } });
    const run = (): unknown => update(body, { limits: { maxBatchSize: 2 } });
    expect(problemsOf(run)).toEqual(["limit-exceeded '/data/relationships/tags/data'"]);
    expect(errorOf(run).message).toMatch(/\b2\b.*maxBatchSize/);
    expect(linkageOf(update(body, { limits: { maxBatchSize: 3 } }))).toEqual({ tags: ['1', '2', '3'] });
  });

  it('counts the members of all relationships together, as RPC counts the records of one write', () => {
    const body = linkWith({ tags: { data: [tag(1), tag(2)] }, author: { data: user(1) } });
    const run = (): unknown => update(body, { limits: { maxBatchSize: 2 } });
    expect(problemsOf(run)).toEqual(["limit-exceeded '/data/relationships'"]);
    expect(errorOf(run).message).toMatch(/\b2\b.*maxBatchSize/);
    expect(linkageOf(update(body, { limits: { maxBatchSize: 3 } }))).toEqual({ tags: ['1', '2'], author: ['1'] });
  });

  it('refuses one that is read only, as it refuses its foreign key: they are one right', () => {
    const resources = { Post: { fields: { author: 'readOnly' } } } as const;
    expect(problemsOf(() => update(linkWith({ author: { data: user(1) } }), { resources }))).toEqual([
      "invalid-payload '/data/relationships/author'",
    ]);
    expect(problemsOf(() => update(patchWith({ authorId: 1 }), { resources }))).toEqual(["invalid-payload '/data/attributes/authorId'"]);
  });

  it("refuses a to-many relationship whose foreign key the target's rights do not let an update change", () => {
    const body = linkWith({ comments: { data: [{ type: 'comment', id: 1 }] } });
    const problem = ["invalid-payload '/data/relationships/comments'"];
    expect(problemsOf(() => update(body, { resources: { Comment: { fields: { post: 'immutable' } } } }))).toEqual(problem);
    expect(problemsOf(() => update(body, { resources: { Comment: { actions: ['read', 'create'] } } }))).toEqual(problem);
    expect(linkageOf(update(body, { resources: { Comment: { actions: ['update'] } } }))).toEqual({ comments: ['1'] });
  });

  it('refuses linkage that reveals whether a record of an unreadable model exists, but for linkage by the foreign key', () => {
    const byAddress = linkWith({ author: { data: { type: 'user', id: 'ann@example.com' } } });
    const User = { actions: ['create'], externalId: 'email' } as const;
    expect(problemsOf(() => update(byAddress, { resources: { User } }))).toEqual(["invalid-payload '/data/relationships/author'"]);
    const tags = linkWith({ tags: { data: [tag(1)] } });
    expect(problemsOf(() => update(tags, { resources: { Tag: { actions: ['create'] } } }))).toEqual([
      "invalid-payload '/data/relationships/tags'",
    ]);
    const byKey = linkWith({ author: { data: user(1) } });
    expect(linkageOf(update(byKey, { resources: { User: { actions: ['create'] } } }))).toEqual({ author: ['1'] });
    expect(linkageOf(update(byAddress, { resources: { User: { ...User, actions: ['update'] } } }))).toEqual({
      author: ['ann@example.com'],
    });
  });

  it('refuses a to-many relationship whose other side is ignored in the schema, because its key is not exposed', () => {
    const body = { data: { type: 'user', relationships: { drafts: { data: [{ type: 'draft', id: 1 }] } } } };
    expect(problemsOf(() => update(body, { type: 'user' }))).toEqual(["invalid-payload '/data/relationships/drafts'"]);
  });
});
