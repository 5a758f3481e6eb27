/*
 * Measures the time to render a document, against `JSON.stringify` of the finished one: 100 posts with 300 comments, and a page of 20 posts.
 *
 * npm run build:esm && node --expose-gc bench/render.mjs
 */
import { Decimal } from 'decimal.js';
import { buildResourceModel } from '../dist/model/build-resource-model.js';
import { DEFAULT_LIMITS } from '../dist/model/limits.js';
import { parseQuery } from '../dist/rest/parse/parse-query.js';
import { createRestContext } from '../dist/rest/plan/rest-contexts.js';
import { renderDocument } from '../dist/rest/render/render-document.js';

const id = { kind: 'scalar', type: 'Int', default: { kind: 'function', name: 'autoincrement' } };
const scalar = (type) => ({ kind: 'scalar', type });
const many = (type, opposite) => ({ kind: 'relation', type, relation: `${type}_${opposite}`, opposite, list: true });
const one = (type, opposite, field) => ({
  kind: 'relation',
  type,
  relation: `${type}_${opposite}`,
  opposite,
  foreignKey: { fields: [field], references: ['id'] },
});
const model = (fields) => ({ fields: { id, ...fields }, primaryKey: { name: 'id', fields: ['id'] }, uniqueKeys: [] });
const back = (relation, type) => ({ ...relation, relation: type });

const SCHEMA = {
  version: 2,
  provider: 'postgresql',
  enums: {},
  models: {
    User: model({
      email: scalar('String'),
      name: scalar('String'),
      createdAt: scalar('DateTime'),
      posts: back(many('Post', 'author'), 'posts'),
      comments: back(many('Comment', 'author'), 'remarks'),
    }),
    Post: model({
      title: scalar('String'),
      content: scalar('String'),
      published: scalar('Boolean'),
      viewCount: scalar('BigInt'),
      rating: scalar('Decimal'),
      createdAt: scalar('DateTime'),
      author: back(one('User', 'posts', 'authorId'), 'posts'),
      authorId: scalar('Int'),
      comments: back(many('Comment', 'post'), 'comments'),
    }),
    Comment: model({
      body: scalar('String'),
      createdAt: scalar('DateTime'),
      post: back(one('Post', 'comments', 'postId'), 'comments'),
      postId: scalar('Int'),
      author: back(one('User', 'comments', 'authorId'), 'remarks'),
      authorId: scalar('Int'),
    }),
  },
};

const SETTINGS = {
  endpoint: 'http://localhost:3000/api/rest',
  pageSize: 100,
  maxPageSize: 20_000,
  strict: false,
  idDivider: '_',
  count: 'exact',
};
const context = createRestContext(buildResourceModel(SCHEMA, { resources: {} }).model, SETTINGS, DEFAULT_LIMITS);

const EPOCH = Date.UTC(2026, 0, 1);
const commentOf = (number, postId) => ({
  id: number,
  body: `Comment ${number}: what I think of it, in a sentence or two.`,
  createdAt: new Date(EPOCH + number * 61_003),
  postId,
  authorId: (number % 1000) + 1,
});
const postOf = (number, comments) => ({
  id: number,
  title: `The title of post ${number}`,
  content: `What post ${number} says. `.repeat(8),
  published: number % 3 > 0,
  viewCount: BigInt(number) * 7919n,
  rating: new Decimal(number % 500).div(100),
  createdAt: new Date(EPOCH + number * 3_600_001),
  authorId: (number % 1000) + 1,
  ...(comments && { comments: Array.from({ length: comments }, (_, index) => commentOf(number * comments + index, number)) }),
});
const posts = (count, comments) => Array.from({ length: count }, (_, index) => postOf(index + 1, comments));

const CASES = {
  '20 posts': { search: 'page[limit]=20', rows: posts(20) },
  '100 posts with 300 comments': { search: 'include=comments&page[limit]=100', rows: posts(100, 3) },
};

const ROUNDS = 600;

/** Returns the µs that each contender takes in the fastest fifth of its rounds, which leaves out the other load of a busy machine. The contenders alternate. */
function measure(contenders) {
  const times = new Map(Object.keys(contenders).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, run] of Object.entries(contenders)) {
      const start = process.hrtime.bigint();
      run();
      times.get(name).push(Number(process.hrtime.bigint() - start) / 1000);
    }
  }
  return Object.fromEntries([...times].map(([name, list]) => [name, list.sort((one, other) => one - other)[ROUNDS / 5]]));
}

const resource = context.model.byModel.get('Post');
const results = Object.entries(CASES).map(([name, { search, rows }]) => {
  const query = parseQuery({ kind: 'collection', resource }, search, context);
  const page = { rows, total: 20_000 };
  const document = JSON.parse(Buffer.from(renderDocument(query, page, context)(Infinity)).toString());
  const text = JSON.stringify(document);
  const contenders = {
    'stringify': () => JSON.stringify(document),
    'stringify to bytes': () => Buffer.from(JSON.stringify(document)),
    'rows to bytes': () => renderDocument(query, page, context)(Infinity),
  };
  measure(contenders);
  const taken = measure(contenders);
  const ratio = (taken['rows to bytes'] / taken.stringify).toFixed(2);
  return {
    name,
    bytes: text.length,
    ...Object.fromEntries(Object.entries(taken).map(([what, time]) => [what, Math.round(time)])),
    ratio,
  };
});
console.table(results);
