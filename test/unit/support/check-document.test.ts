import { checkDocument } from '../../support/check-document.js';
import type { JsonApiDocument } from '../../support/json-api-document.js';

const links = { self: 'http://api.test/post/1' };
const author = { data: { type: 'user', id: 1 } };

describe('checkDocument', () => {
  it.each([
    ['an empty collection', { data: [] }],
    ['no resource', { data: null }],
    ['errors alone', { errors: [] }],
    ['a resource without included ones', { data: { type: 'post', id: 1, links } }],
    [
      'a chain of linkage',
      {
        data: [{ type: 'post', id: 1, attributes: { title: 'A' }, relationships: { author } }],
        included: [
          { type: 'user', id: 1, relationships: { profile: { data: { type: 'profile', id: 7 } } } },
          { type: 'profile', id: 7, links },
        ],
      },
    ],
    [
      'a circle of linkage',
      {
        data: { type: 'post', id: 1, relationships: { author } },
        included: [{ type: 'user', id: 1, relationships: { posts: { data: [{ type: 'post', id: 1 }] } } }],
      },
    ],
    ['identifiers whose resources are included', { data: [{ type: 'post', id: 1 }], included: [{ type: 'post', id: 1, links }] }],
    [
      'a numeric id that a string links to',
      { data: { type: 'post', id: '1', relationships: { author } }, included: [{ type: 'user', id: '1', links }] },
    ],
    [
      'one id in two types',
      {
        data: [
          { type: 'post', id: 1, links },
          { type: 'user', id: 1, links },
        ],
      },
    ],
  ])('accepts %s', (_, document) => {
    expect(checkDocument(document as unknown as JsonApiDocument)).toEqual([]);
  });

  it.each([
    [
      'a resource twice in the data',
      {
        data: [
          { type: 'post', id: 1, links },
          { type: 'post', id: '1', links },
        ],
      },
      'post 1: the document holds twice.',
    ],
    [
      'a resource of the data included again',
      { data: { type: 'user', id: 1, links, relationships: { self: author } }, included: [{ type: 'user', id: 1, links }] },
      'user 1: the document holds twice.',
    ],
    [
      'an identifier twice',
      {
        data: [
          { type: 'post', id: 1 },
          { type: 'post', id: 1 },
        ],
      },
      'post 1: the primary data name twice.',
    ],
    [
      'an identifier twice in a linkage',
      {
        data: {
          type: 'user',
          id: 1,
          relationships: {
            posts: {
              data: [
                { type: 'post', id: 1 },
                { type: 'post', id: 1 },
              ],
            },
          },
        },
      },
      "post 1: relationship 'posts' of user 1 names twice.",
    ],
    [
      'an included resource that nothing links to',
      { data: { type: 'post', id: 1, links }, included: [{ type: 'user', id: 1, links }] },
      'user 1: is included, but nothing links to it.',
    ],
    [
      'included resources that only link to each other',
      {
        data: [],
        included: [
          { type: 'user', id: 1, relationships: { friend: { data: { type: 'user', id: 2 } } } },
          { type: 'user', id: 2, relationships: { friend: author } },
        ],
      },
      'user 1: is included, but nothing links to it.',
      'user 2: is included, but nothing links to it.',
    ],
    [
      'a name that is attribute and relationship',
      { data: { type: 'post', id: 1, attributes: { author: 1 }, relationships: { author } } },
      "post 1: 'author' is an attribute and a relationship.",
    ],
    ['an attribute called type', { data: { type: 'post', id: 1, attributes: { type: 'x' } } }, "post 1: has a field called 'type'."],
    ['a relationship called id', { data: { type: 'post', id: 1, relationships: { id: author } } }, "post 1: has a field called 'id'."],
  ])('reports %s', (_, document, ...faults) => {
    expect(checkDocument(document as unknown as JsonApiDocument)).toEqual(faults);
  });
});
