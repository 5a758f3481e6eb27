import { describe, expect, it } from '@jest/globals';
import type { ResourceObject } from '../reference-writer.js';
import { renderOne, renderPage } from '../render-fixture.js';

const BASE = 'https://api.example/rest';

const COMMENT = { id: 1, body: 'Well said', postId: 5, authorId: 2 };
const USER = { id: 2, email: 'ann@example.com', name: null, role: 'AUTHOR', managerId: null, profile: null };

describe('renderDocument: compound documents', () => {
  it('includes the related, each once, and omits the links of the entry that includes (DS-16, DS-17)', () => {
    const author = { ...USER };
    const rows = [1, 2].map((id) => ({ ...COMMENT, id, author }));
    const document = renderPage('Comment', 'include=author&fields[comment]=author&fields[user]=email', { rows, total: 2 });
    expect(document.data).toEqual(
      [1, 2].map((id) => ({
        type: 'comment',
        id,
        relationships: { author: { data: { type: 'user', id: 2 } } },
        links: { self: `${BASE}/comment/${id}` },
      })),
    );
    expect(document.included).toEqual([
      { type: 'user', id: 2, attributes: { email: 'ann@example.com' }, links: { self: `${BASE}/user/2` } },
    ]);
  });

  it('has an empty `included` where there is nothing to include (IN-02)', () => {
    expect(renderOne('comment', 'include=author', { row: { ...COMMENT, authorId: null, author: null } }).included).toEqual([]);
    expect(renderOne('comment', 'include=', { row: COMMENT }).included).toEqual([]);
    expect(renderOne('comment', '', { row: COMMENT })).not.toHaveProperty('included');
  });

  it('carries linkage of a to-many that is included, be it empty', () => {
    const row = { id: 2, posts: [], profile: null, managerId: null };
    const { data, included } = renderOne('user', 'include=posts&fields[user]=posts', { row });
    expect((data as ResourceObject).relationships).toEqual({ posts: { data: [] } });
    expect(included).toEqual([]);
  });

  it('does not include what is primary data (a cycle)', () => {
    const posts = [5, 6].map((id) => ({ id, authorId: 2 }));
    const rows = posts.map((post) => ({ ...post, author: { id: 2, posts } }));
    const document = renderPage('Post', 'include=author.posts&fields[post]=author&fields[user]=posts', { rows, total: 2 });
    expect(document.included).toEqual([
      {
        type: 'user',
        id: 2,
        relationships: {
          posts: {
            data: [
              { type: 'post', id: 5 },
              { type: 'post', id: 6 },
            ],
          },
        },
        links: expect.anything(),
      },
    ]);
    expect((document.data as ResourceObject[])[1]?.relationships).toEqual({ author: { data: { type: 'user', id: 2 } } });
  });

  it('merges linkage where one resource is reached by two paths (a diamond)', () => {
    // comment 1 -> author 2 (without posts); comment 1 -> post 5 -> author 2 (with comments)
    const row = {
      ...COMMENT,
      author: { id: 2, name: 'Ann' },
      post: { id: 5, authorId: 2, author: { id: 2, name: 'Ann', comments: [{ id: 9, body: 'other' }] } },
    };
    const search = 'include=author,post.author.comments&fields[comment]=body&fields[user]=name,comments&fields[post]=author';
    const { included } = renderOne('comment', search, { row });
    expect(included).toEqual([
      { type: 'post', id: 5, relationships: { author: { data: { type: 'user', id: 2 } } }, links: expect.anything() },
      {
        type: 'user',
        id: 2,
        attributes: { name: 'Ann' },
        relationships: { comments: { data: [{ type: 'comment', id: 9 }] } },
        links: expect.anything(),
      },
      { type: 'comment', id: 9, attributes: { body: 'other' }, links: expect.anything() },
    ]);
  });

  it('merges into primary data that is reached again with more to include', () => {
    // Of user 1 the manager's reports are included with their posts: user 1 among them.
    const row = { id: 1, name: 'A', managerId: 2, manager: { id: 2, name: 'M', reports: [{ id: 1, name: 'A', posts: [{ id: 5 }] }] } };
    const { data, included } = renderOne('user', 'include=manager.reports.posts&fields[user]=name,posts,manager,reports&fields[post]=', {
      row,
    });
    expect((data as ResourceObject).relationships?.['posts']).toEqual({ data: [{ type: 'post', id: 5 }] });
    expect(included?.map(({ type, id }) => `${type} ${id}`)).toEqual(['user 2', 'post 5']);
  });

  it('keeps included resources where a fieldset omits the linkage to them (DS-16)', () => {
    const { data, included } = renderOne('comment', 'include=author&fields[comment]=body', { row: { ...COMMENT, author: USER } });
    expect(data).not.toHaveProperty('relationships');
    expect(included).toHaveLength(1);
  });

  it('has a related resource that is hidden from the caller in the linkage alone', () => {
    const { data, included } = renderOne('comment', 'include=author', { row: { ...COMMENT, author: null } });
    expect((data as ResourceObject).relationships?.['author']).toEqual({ data: { type: 'user', id: 2 } });
    expect(included).toEqual([]);
  });
});
