import { describe, expect, it } from '@jest/globals';
import { Decimal } from 'decimal.js';
import type { ResourceObject } from '../reference-writer.js';
import { readContext, relatedQuery, resourceQuery } from '../read-fixture.js';
import { renderOne, renderPage, renderChecked } from '../render-fixture.js';

const context = readContext();
const strict = readContext({ settings: { strict: true } });
const BASE = 'https://api.example/rest';

const TAG = { id: 7, name: 'nest' };
const COMMENT = { id: 1, body: 'Well said', postId: 5, authorId: 2 };
const USER = { id: 2, email: 'ann@example.com', name: null, role: 'AUTHOR', managerId: null, profile: null };

describe('renderDocument: resource objects', () => {
  it('renders one resource with attributes, to-one linkage and links', () => {
    expect(renderOne('comment', '', { row: COMMENT })).toEqual({
      jsonapi: { version: '1.1' },
      data: {
        type: 'comment',
        id: 1,
        attributes: { body: 'Well said', postId: 5, authorId: 2 },
        relationships: {
          post: {
            data: { type: 'post', id: 5 },
            links: { self: `${BASE}/comment/1/relationships/post`, related: `${BASE}/comment/1/post` },
          },
          author: {
            data: { type: 'user', id: 2 },
            links: { self: `${BASE}/comment/1/relationships/author`, related: `${BASE}/comment/1/author` },
          },
        },
        links: { self: `${BASE}/comment/1` },
      },
      links: { self: `${BASE}/comment/1` },
    });
  });

  it('gives a to-many relationship links alone, and an empty to-one null', () => {
    const { relationships } = renderOne('user', '', { row: USER }).data as ResourceObject;
    expect(relationships?.['posts']).toEqual({ links: { self: `${BASE}/user/2/relationships/posts`, related: `${BASE}/user/2/posts` } });
    expect(relationships?.['manager']).toEqual(expect.objectContaining({ data: null }));
    expect(relationships?.['profile']).toEqual(expect.objectContaining({ data: null }));
  });

  it('writes ids as strings and leaves foreign keys out in strict mode (ID-02, D6)', () => {
    expect(renderOne('comment', 'fields[comment]=body,post', { row: COMMENT, of: strict }).data).toEqual(
      expect.objectContaining({
        id: '1',
        attributes: { body: 'Well said' },
        relationships: { post: expect.objectContaining({ data: { type: 'post', id: '5' } }) },
      }),
    );
  });

  it('has no attributes and relationships where a fieldset leaves none', () => {
    expect(renderOne('tag', 'fields[tag]=', { row: TAG }).data).toEqual({ type: 'tag', id: 7, links: { self: `${BASE}/tag/7` } });
  });

  it('joins compound ids, and encodes them in links', () => {
    const row = { orderId: 1n, sku: 'a_b/c', quantity: 2 };
    const query = resourceQuery(context, ['line', '1_a\\_b/c'], 'fields[line]=refunds');
    const self = `${BASE}/line/1_a%5C_b%2Fc`;
    expect(renderChecked(query, { rows: [row] }, context)).toEqual({
      jsonapi: { version: '1.1' },
      data: {
        type: 'line',
        id: '1_a\\_b/c',
        relationships: { refunds: { links: { self: `${self}/relationships/refunds`, related: `${self}/refunds` } } },
        links: { self },
      },
      links: { self: `${self}?fields%5Bline%5D=refunds` },
    });
  });

  it('links by a foreign key of several fields', () => {
    const { relationships } = renderOne('refund', '', { row: { id: 1, orderId: 1n, sku: 'a' } }).data as ResourceObject;
    expect(relationships?.['line']?.data).toEqual({ type: 'line', id: '1_a' });
  });

  it('uses the external id in ids, linkage and links', () => {
    const external = readContext({ resources: { User: { externalId: 'email' } } });
    const row = { ...COMMENT, author: { email: 'ann@example.com' } };
    const { relationships } = renderOne('comment', '', { row, of: external }).data as ResourceObject;
    expect(relationships?.['author']?.data).toEqual({ type: 'user', id: 'ann@example.com' });
    const document = renderPage('User', '', { rows: [USER], total: 1, of: external });
    expect(document.data).toEqual([expect.objectContaining({ id: 'ann@example.com', links: { self: `${BASE}/user/ann%40example.com` } })]);
  });

  it('uses the names of members, and not of fields', () => {
    const renamed = readContext({
      resources: { Comment: { type: 'remark', fields: { body: { name: 'text' }, author: { name: 'writer' } } } },
    });
    expect(renderOne('remark', '', { row: COMMENT, of: renamed }).data).toEqual(
      expect.objectContaining({
        type: 'remark',
        attributes: { text: 'Well said', postId: 5, authorId: 2 },
        relationships: expect.objectContaining({
          writer: {
            data: { type: 'user', id: 2 },
            links: { self: `${BASE}/remark/1/relationships/writer`, related: `${BASE}/remark/1/writer` },
          },
        }),
      }),
    );
  });

  it('omits members that a row lacks, so that a fake client may return incomplete rows', () => {
    const data = renderOne('comment', '', { row: { id: 1, body: 'x' } }).data as ResourceObject;
    expect(JSON.parse(JSON.stringify(data))).toEqual({
      type: 'comment',
      id: 1,
      attributes: { body: 'x' },
      relationships: { post: { links: expect.anything() }, author: { links: expect.anything() } },
      links: expect.anything(),
    });
  });
});

describe('renderDocument: relationships and related resources', () => {
  it('renders identifiers as primary data, and the links of the relationship', () => {
    const query = relatedQuery(context, ['post', '5', 'relationships', 'tags'], 'page[limit]=1');
    expect(renderChecked(query, { rows: [{ id: 7 }], total: 3 }, context)).toEqual({
      jsonapi: { version: '1.1' },
      data: [{ type: 'tag', id: 7 }],
      links: {
        self: `${BASE}/post/5/relationships/tags?page%5Blimit%5D=1`,
        related: `${BASE}/post/5/tags`,
        first: `${BASE}/post/5/relationships/tags?page%5Boffset%5D=0&page%5Blimit%5D=1`,
        last: `${BASE}/post/5/relationships/tags?page%5Boffset%5D=2&page%5Blimit%5D=1`,
        prev: null,
        next: `${BASE}/post/5/relationships/tags?page%5Boffset%5D=1&page%5Blimit%5D=1`,
      },
      meta: { total: 3 },
    });
  });

  it('includes the resources of a relationship', () => {
    const query = relatedQuery(context, ['post', '5', 'relationships', 'tags'], 'include=tags&fields[tag]=name');
    const { data, included } = renderChecked(query, { rows: [TAG], total: 1 }, context);
    expect(data).toEqual([{ type: 'tag', id: 7 }]);
    expect(included).toEqual([{ type: 'tag', id: 7, attributes: { name: 'nest' }, links: { self: `${BASE}/tag/7` } }]);
    expect(
      renderChecked(relatedQuery(context, ['post', '5', 'relationships', 'tags'], 'include='), { rows: [TAG] }, context).included,
    ).toEqual([]);
  });

  it('renders an empty to-one as null (FE-04, FE-05)', () => {
    expect(renderChecked(relatedQuery(context, ['comment', '1', 'author']), { rows: [] }, context)).toEqual({
      jsonapi: { version: '1.1' },
      data: null,
      links: { self: `${BASE}/comment/1/author` },
    });
    expect(renderChecked(relatedQuery(context, ['comment', '1', 'relationships', 'author']), { rows: [] }, context)).toEqual({
      jsonapi: { version: '1.1' },
      data: null,
      links: { self: `${BASE}/comment/1/relationships/author`, related: `${BASE}/comment/1/author` },
    });
  });
});

describe('renderDocument: types that JSON lacks', () => {
  const POST = {
    id: 5,
    title: 'T',
    reads: 9007199254740993n,
    price: new Decimal('1.10'),
    createdAt: new Date('2026-01-02T03:04:05.678Z'),
    cover: Uint8Array.of(137, 80),
    metadata: { constructor: { meta: 1 }, at: new Date(0).toISOString() },
    keywords: ['a'],
  };
  const search = 'fields[post]=reads,price,createdAt,cover,metadata,keywords';

  it('encodes them, and has their types by path in meta', () => {
    expect(renderOne('post', search, { row: POST })).toEqual(
      expect.objectContaining({
        data: expect.objectContaining({
          attributes: {
            reads: '9007199254740993',
            price: '1.1',
            createdAt: '2026-01-02T03:04:05.678Z',
            cover: 'iVA=',
            metadata: POST.metadata,
            keywords: ['a'],
          },
        }),
        meta: {
          serialization: {
            values: {
              'data.attributes.reads': ['bigint'],
              'data.attributes.price': [['custom', 'Decimal']],
              'data.attributes.createdAt': ['Date'],
              'data.attributes.cover': [['custom', 'Bytes']],
            },
          },
        },
      }),
    );
  });

  it('names the paths of rows and of included resources', () => {
    const rows = [COMMENT, { ...COMMENT, id: 2 }].map((comment) => ({ ...comment, post: { id: 5, createdAt: POST.createdAt } }));
    const document = renderPage('Comment', 'include=post&fields[post]=createdAt', { rows, total: 2 });
    expect(document.meta).toEqual({ total: 2, serialization: { values: { 'included.0.attributes.createdAt': ['Date'] } } });
    const posts = renderPage('Post', 'fields[post]=createdAt', { rows: [{ id: 1, createdAt: null }, POST], total: 2 });
    expect(posts.meta?.serialization).toEqual({ values: { 'data.1.attributes.createdAt': ['Date'] } });
  });

  it('has no meta where JSON has all types', () => {
    expect(renderOne('tag', '', { row: TAG })).not.toHaveProperty('meta');
  });

  it('writes a Json value as it is', () => {
    const { attributes } = renderOne('post', 'fields[post]=metadata', { row: POST }).data as ResourceObject;
    expect(attributes?.['metadata']).toEqual(JSON.parse(JSON.stringify(POST.metadata)));
  });
});
