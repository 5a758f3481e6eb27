import { memoizeByObject } from '../utils/memoize-by-object.js';
import { match, type Table } from './match.js';
import { isWrite, type Query } from './query.js';
import type { Verb, WrittenRecord, WrittenRelation } from './write.js';

/** A record that a query writes, and the relation of the enclosing record through which it is written. */
export interface RecordOfQuery {
  readonly record: WrittenRecord;
  readonly through?: WrittenRelation;
}

type RecordMap = (written: RecordOfQuery) => WrittenRecord;

/**
 * Maps every record that a query writes, directly or through relations at any depth, in the order of the request.
 *
 * @param map receives a record before its nested records, which are those of the record that it returns
 */
export function mapRecords<Q extends Query>(query: Q, map: RecordMap): Q {
  return match(QUERIES, query, (record: WrittenRecord) => mapRecord({ record }, map)) as Q;
}

/** Returns every record that a query writes, directly or through relations at any depth. A record comes before its nested records. */
export function recordsOf(query: Query): readonly RecordOfQuery[] {
  if (!isWrite(query)) return [];
  return 'record' in query && query.record.relations.length === 0 ? [{ record: query.record }] : listRecords(query);
}

/** The list is cached, because several checks of one request read it. */
const listRecords: (query: Query) => readonly RecordOfQuery[] = memoizeByObject((query) => {
  const records: RecordOfQuery[] = [];
  mapRecords(query, (written) => {
    records.push(written);
    return written.record;
  });
  return records;
});

function mapRecord(written: RecordOfQuery, map: RecordMap): WrittenRecord {
  const mapped = map(written);
  if (mapped.relations.length === 0) return mapped;
  const relations = mapped.relations.map((through) => ({
    ...through,
    verbs: through.verbs.map((verb) => match(VERBS, verb, (record: WrittenRecord) => mapRecord({ record, through }, map))),
  }));
  return Object.freeze({ ...mapped, relations: Object.freeze(relations) });
}

type OfRecord = (record: WrittenRecord) => WrittenRecord;

const same = <Kept>(node: Kept): Kept => node;

const QUERIES: Table<Query, [OfRecord], Query> = {
  'find-unique': same,
  'find': same,
  'count': same,
  'aggregate': same,
  'group-by': same,
  'create': (query, of) => ({ ...query, record: of(query.record) }),
  'create-many': (query, of) => ({ ...query, records: query.records.map(of) }),
  'update': (query, of) => ({ ...query, record: of(query.record) }),
  'update-many': (query, of) => ({ ...query, record: of(query.record) }),
  'upsert': (query, of) => ({ ...query, create: of(query.create), update: of(query.update) }),
  'delete': same,
  'delete-many': same,
};

const VERBS: Table<Verb, [OfRecord], Verb> = {
  'create-related': (verb, of) => ({ ...verb, record: of(verb.record) }),
  'create-many-related': (verb, of) => ({ ...verb, records: verb.records.map(of) }),
  'connect': same,
  'connect-or-create': (verb, of) => ({ ...verb, record: of(verb.record) }),
  'disconnect': same,
  'set': same,
  'update-related': (verb, of) => ({ ...verb, record: of(verb.record) }),
  'update-many-related': (verb, of) => ({ ...verb, record: of(verb.record) }),
  'upsert-related': (verb, of) => ({ ...verb, create: of(verb.create), update: of(verb.update) }),
  'delete-related': same,
  'delete-many-related': same,
};
