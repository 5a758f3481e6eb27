import { JSONAPISerializers, JSONAPISource } from '@orbit/jsonapi';
import { RecordKeyMap, RecordSchema, StandardRecordNormalizer } from '@orbit/records';
import { buildSerializerSettingsFor } from '@orbit/serializers';
import { answerTasks } from './tasks.mjs';

const one = (type, inverse) => ({ kind: 'hasOne', type, inverse });
const many = (type, inverse) => ({ kind: 'hasMany', type, inverse });

/** Defines a model with remote ids, because the server generates ids. Without them, Orbit would send its own. */
const model = (attributes, relationships = {}) => ({ keys: { remoteId: {} }, attributes, relationships });

const schema = new RecordSchema({
  models: {
    post: model(
      { title: { type: 'string' }, viewCount: { type: 'number' }, published: { type: 'boolean' }, createdAt: { type: 'datetime' } },
      { author: one('user', 'posts'), category: one('category'), tags: many('tag', 'posts'), comments: many('comment', 'post') },
    ),
    user: model({ name: { type: 'string' } }, { posts: many('post', 'author') }),
    tag: model({ name: { type: 'string' } }, { posts: many('post', 'tags') }),
    comment: model({ body: { type: 'string' } }, { post: one('post', 'comments'), author: one('user') }),
    category: model({ name: { type: 'string' } }),
  },
});

/** Types and fields go into paths as they are called. */
const asCalled = { serializationOptions: { inflectors: [] } };
const serializerSettingsFor = buildSerializerSettingsFor({
  settingsByType: { [JSONAPISerializers.ResourceTypePath]: asCalled, [JSONAPISerializers.ResourceFieldPath]: asCalled },
});

/** Creates a source without state of earlier tasks. Pairs `[type, id]` identify records by their ids of the server. */
class Client {
  constructor(host) {
    this.keyMap = new RecordKeyMap();
    this.source = new JSONAPISource({ schema, keyMap: this.keyMap, name: 'api', host, serializerSettingsFor });
    this.normalizer = new StandardRecordNormalizer({ schema, keyMap: this.keyMap });
  }

  async findRecords(type, { filter, sort, page }) {
    const records = await this.source.query((q) => q.findRecords(type).filter(filter).sort(sort).page(page));
    return records.map((record) => this.read(record));
  }

  /** Returns a record with the included ones, as it would be in a store. */
  async findRecord(record, include) {
    const options = { include, fullResponse: true };
    const { data, transforms } = await this.source.query((q) => q.findRecord(this.identify(record)), options);
    const operations = transforms.flatMap((transform) => transform.operations);
    return { data: this.read(data), records: operations.map((operation) => this.read(operation.record)) };
  }

  async findRelatedRecord(record, relationship) {
    return this.read(await this.source.query((q) => q.findRelatedRecord(this.identify(record), relationship)));
  }

  async findRelatedRecords(record, relationship) {
    const records = await this.source.query((q) => q.findRelatedRecords(this.identify(record), relationship));
    return records.map((one) => this.read(one));
  }

  async addRecord(type, members) {
    return this.read(await this.source.update((t) => t.addRecord({ type, ...this.write(type, members) })));
  }

  async updateRecord(record, members) {
    const changes = { ...this.identify(record), ...this.write(record[0], members) };
    return this.read(await this.source.update((t) => t.updateRecord(changes)));
  }

  async replaceRelatedRecord(record, relationship, related) {
    const to = related && this.identify(related);
    await this.source.update((t) => t.replaceRelatedRecord(this.identify(record), relationship, to));
  }

  async replaceRelatedRecords(record, relationship, related) {
    const to = related.map((one) => this.identify(one));
    await this.source.update((t) => t.replaceRelatedRecords(this.identify(record), relationship, to));
  }

  async addToRelatedRecords(record, relationship, related) {
    const add = (t) => (one) => t.addToRelatedRecords(this.identify(record), relationship, this.identify(one));
    await this.source.update((t) => related.map(add(t)));
  }

  async removeFromRelatedRecords(record, relationship, related) {
    const remove = (t) => (one) => t.removeFromRelatedRecords(this.identify(record), relationship, this.identify(one));
    await this.source.update((t) => related.map(remove(t)));
  }

  async removeRecord(record) {
    await this.source.update((t) => t.removeRecord(this.identify(record)));
  }

  /** Serializes atomic operations with Orbit's serializer, because no source of Orbit sends them yet. */
  writeOperations() {
    const post = this.identify(['post', '1']);
    const tag = (id) => this.identify(['tag', id]);
    const operations = [
      { op: 'addRecord', record: { type: 'tag', id: 'local', attributes: { name: 'By orbit' } } },
      { op: 'updateRecord', record: { ...post, attributes: { title: 'Changed' } } },
      { op: 'addToRelatedRecords', record: post, relationship: 'tags', relatedRecord: tag('4') },
      { op: 'removeFromRelatedRecords', record: post, relationship: 'tags', relatedRecord: tag('1') },
      { op: 'replaceRelatedRecord', record: post, relationship: 'author', relatedRecord: this.identify(['user', '2']) },
      { op: 'replaceRelatedRecords', record: this.identify(['post', '2']), relationship: 'tags', relatedRecords: [tag('5')] },
      { op: 'removeRecord', record: this.identify(['comment', '1']) },
    ];
    const serializer = this.source.requestProcessor.serializerFor(JSONAPISerializers.ResourceAtomicOperation);
    return { 'atomic:operations': operations.map((operation) => serializer.serialize(operation)) };
  }

  /** Returns the errors of a create. */
  async failToAddRecord(type, members) {
    const record = { type, ...this.write(type, members) };
    const { response, data } = await this.source.update((t) => t.addRecord(record)).catch((error) => error);
    return { status: response.status, errors: data.errors };
  }

  identify([type, value]) {
    return this.normalizer.normalizeRecordIdentity({ type, key: 'remoteId', value });
  }

  /** Returns the attributes of a record, and the pairs of its linked records. */
  read(record) {
    if (!record) return record;
    const { type, id, attributes, relationships = {} } = record;
    const pair = (identity) => [identity.type, this.keyMap.idToKey(identity.type, 'remoteId', identity.id)];
    const linkage = Object.entries(relationships)
      .filter(([, { data }]) => data !== undefined)
      .map(([name, { data }]) => [name, Array.isArray(data) ? data.map(pair) : data && pair(data)]);
    return { type, id: pair({ type, id })[1], ...attributes, ...Object.fromEntries(linkage) };
  }

  /** Returns the members of a record from the format of {@link read}. */
  write(type, members) {
    const { attributes = {}, relationships = {} } = schema.getModel(type);
    const own = (fields) => Object.entries(members).filter(([name]) => Object.hasOwn(fields, name));
    const linkage = ([name, value]) => {
      const data = relationships[name].kind === 'hasMany' ? value.map((one) => this.identify(one)) : value && this.identify(value);
      return [name, { data }];
    };
    return { attributes: Object.fromEntries(own(attributes)), relationships: Object.fromEntries(own(relationships).map(linkage)) };
  }
}

answerTasks((url) => new Client(url));
