import { cacheKeyFor, useRecommendedStore } from '@warp-drive/core';
import { setupSignals } from '@warp-drive/core/configure';
import { checkout, withDefaults } from '@warp-drive/core/reactive';
import { SkipCache } from '@warp-drive/core/types/request';
import { JSONAPICache } from '@warp-drive/json-api';
import { answerTasks } from './tasks.mjs';

/** Its checker logs what it finds, so that whatever is logged is a finding. */
const findings = [];
for (const method of ['log', 'info', 'error']) console[method] = (text) => findings.push(String(text));
// This build logs each `warn(text, holds)` of its source as it stands, also where all is well.
console.warn = (text, holds) => holds === true || findings.push(String(text));

/** Nothing here watches records change. */
setupSignals(() => ({
  createSignal: () => ({}),
  consumeSignal: () => undefined,
  notifySignal: () => undefined,
  createMemo: (_object, _key, read) => read,
  willSyncFlushWatchers: () => false,
}));

const one = (name, type, inverse = null) => ({ kind: 'belongsTo', name, type, options: { async: true, inverse } });
const many = (name, type, inverse = null) => ({ kind: 'hasMany', name, type, options: { async: true, inverse } });

/** Every field that an answer shows: the checker reports any other. */
const schemaOf = (type, attributes, relationships = []) =>
  withDefaults({ type, fields: [...attributes.split(' ').map((name) => ({ kind: 'field', name })), ...relationships] });

const Store = useRecommendedStore({
  cache: JSONAPICache,
  schemas: [
    schemaOf('post', 'title content published publishedAt viewCount rating keywords metadata createdAt updatedAt', [
      one('author', 'user', 'posts'),
      one('reviewer', 'user', 'reviewedPosts'),
      one('category', 'category', 'posts'),
      many('comments', 'comment', 'post'),
      many('tags', 'tag', 'posts'),
    ]),
    schemaOf('user', 'email name role loginCount locale createdAt updatedAt', [
      one('profile', 'profile', 'user'),
      many('posts', 'post', 'author'),
      many('reviewedPosts', 'post', 'reviewer'),
      many('comments', 'comment', 'author'),
      many('orders', 'order', 'customer'),
    ]),
    schemaOf('profile', 'bio birthday avatar', [one('user', 'user', 'profile')]),
    schemaOf('category', 'slug name', [
      one('parent', 'category', 'children'),
      many('children', 'category', 'parent'),
      many('posts', 'post', 'category'),
    ]),
    schemaOf('comment', 'body createdAt', [one('post', 'post', 'comments'), one('author', 'user', 'comments')]),
    schemaOf('tag', 'name', [many('posts', 'post', 'tags')]),
    schemaOf('order', 'number', [one('customer', 'user', 'orders')]),
    // Without its name, so that the checker has something to find.
    schemaOf('country', 'code', [many('warehouses', 'warehouse')]),
    schemaOf('warehouse', 'name'),
  ],
});

const MEDIA_TYPE = 'application/vnd.api+json';

/** A store that remembers nothing of earlier tasks. */
class Client {
  constructor(url) {
    this.url = url;
    this.store = new Store();
  }

  /** What has been logged since the last time. */
  findings() {
    return findings.splice(0);
  }

  /** One record, and what of other types came along. */
  async findRecord(path, types = []) {
    const { content } = await this.request({ path, op: 'findRecord' });
    const included = types.flatMap((type) => [...this.store.peekAll(type)]);
    return { data: this.read(content.data), included: included.map((record) => this.read(record)) };
  }

  async query(path) {
    const { content } = await this.request({ path, op: 'query' });
    return { data: content.data.map((record) => this.read(record)), meta: content.meta, links: content.links };
  }

  /** Creates a record that is new in the store, which takes its id from the answer. */
  async createRecord(type, attributes) {
    const record = this.store.createRecord(type, attributes);
    const key = cacheKeyFor(record);
    const body = { data: { type, attributes: this.store.cache.peek(key).attributes } };
    await this.request({ path: type, method: 'POST', op: 'createRecord', records: [key], body });
    return this.read(record);
  }

  /** Fetches a record, edits it, and sends the changes. */
  async updateRecord(path, attributes) {
    const { content } = await this.request({ path, op: 'findRecord' });
    const editable = await checkout(content.data);
    Object.assign(editable, attributes);
    const key = cacheKeyFor(content.data);
    const changes = Object.entries(this.store.cache.changedAttrs(key)).map(([name, [, value]]) => [name, value]);
    const body = { data: { type: key.type, id: key.id, attributes: Object.fromEntries(changes) } };
    await this.request({ path, method: 'PATCH', op: 'updateRecord', records: [key], body });
    return this.read(content.data);
  }

  /** Sends a document of no record in the store; its answer goes through the checker into the cache. */
  async save(op, path, data) {
    const method = op === 'createRecord' ? 'POST' : 'PATCH';
    const { content } = await this.request({ path, method, op, body: { data } });
    return this.read(content.data);
  }

  async deleteRecord(path) {
    const { content } = await this.request({ path, op: 'findRecord' });
    const key = cacheKeyFor(content.data);
    this.store.deleteRecord(content.data);
    const { response } = await this.request({ path, method: 'DELETE', op: 'deleteRecord', records: [key] });
    return response.status;
  }

  /** Reads or changes linkage, past the cache: that takes whole resources alone. */
  async linkage(method, path, data) {
    const body = data === undefined ? undefined : { data };
    const { content } = await this.request({ path, method, op: 'linkage', body, cacheOptions: { [SkipCache]: true } });
    return content;
  }

  /** The errors that a fetch is answered with. */
  async failToFind(path) {
    const error = await this.request({ path, op: 'findRecord' }).catch((thrown) => thrown);
    return { status: error.status, errors: error.content.errors };
  }

  request({ path, body, method = 'GET', ...info }) {
    const headers = new Headers({ Accept: MEDIA_TYPE, ...(body && { 'Content-Type': MEDIA_TYPE }) });
    return this.store.request({ url: `${this.url}/${path}`, method, headers, ...info, ...(body && { body: JSON.stringify(body) }) });
  }

  /** What the cache holds of a record, in few words: its attributes, and the pairs that it is linked to. */
  read(record) {
    if (!record) return record;
    const { type, id, attributes, relationships = {} } = this.store.cache.peek(cacheKeyFor(record));
    const pair = (identity) => [identity.type, identity.id];
    const linkage = Object.entries(relationships)
      .filter(([, { data }]) => data !== undefined)
      .map(([name, { data }]) => [name, Array.isArray(data) ? data.map(pair) : data && pair(data)]);
    return { type, id, ...attributes, ...Object.fromEntries(linkage) };
  }
}

answerTasks((url) => new Client(url));
