import { cacheKeyFor, useRecommendedStore } from '@warp-drive/core';
import { setupSignals } from '@warp-drive/core/configure';
import { checkout, withDefaults } from '@warp-drive/core/reactive';
import { SkipCache } from '@warp-drive/core/types/request';
import { JSONAPICache } from '@warp-drive/json-api';
import { answerTasks } from './tasks.mjs';

/** The log of WarpDrive's checker, of which each line is a finding. */
const findings = [];
for (const method of ['log', 'info', 'error']) console[method] = (text) => findings.push(String(text));
// This build logs each `warn(text, condition)` of its source, even if the condition is true.
console.warn = (text, holds) => holds === true || findings.push(String(text));

/** No code here observes changes of records. */
setupSignals(() => ({
  createSignal: () => ({}),
  consumeSignal: () => undefined,
  notifySignal: () => undefined,
  createMemo: (_object, _key, read) => read,
  willSyncFlushWatchers: () => false,
}));

const one = (name, type, inverse = null) => ({ kind: 'belongsTo', name, type, options: { async: true, inverse } });
const many = (name, type, inverse = null) => ({ kind: 'hasMany', name, type, options: { async: true, inverse } });

/** Defines a type with all fields of responses, because the checker reports unknown ones. */
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
    // Its name is missing, so that the checker reports it.
    schemaOf('country', 'code', [many('warehouses', 'warehouse')]),
    schemaOf('warehouse', 'name'),
  ],
});

const MEDIA_TYPE = 'application/vnd.api+json';

/** Creates a store without state of earlier tasks. */
class Client {
  constructor(url) {
    this.url = url;
    this.store = new Store();
  }

  /** Returns the lines that were logged since the last call. */
  findings() {
    return findings.splice(0);
  }

  /** Returns one record, and the included ones of other types. */
  async findRecord(path, types = []) {
    const { content } = await this.request({ path, op: 'findRecord' });
    const included = types.flatMap((type) => [...this.store.peekAll(type)]);
    return { data: this.read(content.data), included: included.map((record) => this.read(record)) };
  }

  async query(path) {
    const { content } = await this.request({ path, op: 'query' });
    return { data: content.data.map((record) => this.read(record)), meta: content.meta, links: content.links };
  }

  /** Creates a new record of the store, whose id is then that of the response. */
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

  /** Sends a document without a record of the store. The checker validates the response, and the cache stores it. */
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

  /** Reads or changes linkage without the cache, which accepts only whole resources. */
  async linkage(method, path, data) {
    const body = data === undefined ? undefined : { data };
    const { content } = await this.request({ path, method, op: 'linkage', body, cacheOptions: { [SkipCache]: true } });
    return content;
  }

  /** Returns the errors of a fetch. */
  async failToFind(path) {
    const error = await this.request({ path, op: 'findRecord' }).catch((thrown) => thrown);
    return { status: error.status, errors: error.content.errors };
  }

  request({ path, body, method = 'GET', ...info }) {
    const headers = new Headers({ Accept: MEDIA_TYPE, ...(body && { 'Content-Type': MEDIA_TYPE }) });
    return this.store.request({ url: `${this.url}/${path}`, method, headers, ...info, ...(body && { body: JSON.stringify(body) }) });
  }

  /** Returns the cached attributes of a record, and the pairs of its linked records. */
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
