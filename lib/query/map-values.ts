import type { Comparison, Condition, KeyCondition, UniqueCondition } from './condition.js';
import { mapCondition } from './map-condition.js';
import { match, type Table } from './match.js';
import type { Query } from './query.js';
import { isUnique, type LinkedRow, type Verb, type WrittenRecord } from './write.js';

type MapValue = (value: unknown) => unknown;

/** Maps the values in the keys, field comparisons and records of a query, at any depth. The value of a written field is mapped as a whole. */
export function mapValues<Q extends Query>(query: Q, map: MapValue): Q {
  return match(QUERIES, query, map) as Q;
}

function mapWhere(where: Condition, map: MapValue): Condition {
  return mapCondition(where, (condition) => {
    if (condition.kind === 'key') return mapKey(condition, map);
    return condition.kind === 'compare' ? mapComparison(condition, map) : condition;
  });
}

function mapComparison(comparison: Comparison, map: MapValue): Comparison {
  const { operand } = comparison;
  return Object.freeze({ ...comparison, operand: Array.isArray(operand) ? operand.map(map) : map(operand) });
}

function mapKey(key: KeyCondition, map: MapValue): KeyCondition {
  return Object.freeze({ ...key, values: Object.freeze(key.values.map(map)) });
}

function mapUnique({ keys: [key, ...others], more }: UniqueCondition, map: MapValue): UniqueCondition {
  return Object.freeze<UniqueCondition>({ keys: [mapKey(key, map), ...others.map((one) => mapKey(one, map))], more: mapWhere(more, map) });
}

function mapRow(row: LinkedRow, map: MapValue): LinkedRow {
  return isUnique(row) ? mapUnique(row, map) : mapWhere(row, map);
}

function mapRecord(record: WrittenRecord, map: MapValue): WrittenRecord {
  const fields = record.fields.map((written) => Object.freeze({ ...written, value: map(written.value) }));
  const relations = record.relations.map((written) => ({ ...written, verbs: written.verbs.map((verb) => match(VERBS, verb, map)) }));
  return Object.freeze({ ...record, fields: Object.freeze(fields), relations: Object.freeze(relations) });
}

function mapAll(records: readonly WrittenRecord[], map: MapValue): readonly WrittenRecord[] {
  return records.map((record) => mapRecord(record, map));
}

interface OfWhere {
  readonly where: Condition;
}

const ofWhere = <Node extends OfWhere>(node: Node, map: MapValue): Node => ({ ...node, where: mapWhere(node.where, map) });

const QUERIES: Table<Query, [MapValue], Query> = {
  'find-unique': (query, map) => ({ ...query, where: mapUnique(query.where, map) }),
  'find': ofWhere,
  'count': ofWhere,
  'aggregate': ofWhere,
  'group-by': ofWhere,
  'create': (query, map) => ({ ...query, record: mapRecord(query.record, map) }),
  'create-many': (query, map) => ({ ...query, records: mapAll(query.records, map) }),
  'update': (query, map) => ({ ...query, where: mapUnique(query.where, map), record: mapRecord(query.record, map) }),
  'update-many': (query, map) => ({ ...ofWhere(query, map), record: mapRecord(query.record, map) }),
  'upsert': (query, map) => ({
    ...query,
    where: mapUnique(query.where, map),
    create: mapRecord(query.create, map),
    update: mapRecord(query.update, map),
  }),
  'delete': (query, map) => ({ ...query, where: mapUnique(query.where, map) }),
  'delete-many': ofWhere,
};

const VERBS: Table<Verb, [MapValue], Verb> = {
  'create-related': (verb, map) => ({ ...verb, record: mapRecord(verb.record, map) }),
  'create-many-related': (verb, map) => ({ ...verb, records: mapAll(verb.records, map) }),
  'connect': (verb, map) => ({ ...verb, row: mapUnique(verb.row, map) }),
  'connect-or-create': (verb, map) => ({ ...verb, row: mapUnique(verb.row, map), record: mapRecord(verb.record, map) }),
  'disconnect': (verb, map) => ({ ...verb, row: mapRow(verb.row, map) }),
  'set': (verb, map) => ({ ...verb, rows: verb.rows.map((row) => mapUnique(row, map)) }),
  'update-related': (verb, map) => ({ ...verb, row: mapRow(verb.row, map), record: mapRecord(verb.record, map) }),
  'update-many-related': (verb, map) => ({ ...ofWhere(verb, map), record: mapRecord(verb.record, map) }),
  'upsert-related': (verb, map) => ({
    ...verb,
    row: mapRow(verb.row, map),
    create: mapRecord(verb.create, map),
    update: mapRecord(verb.update, map),
  }),
  'delete-related': (verb, map) => ({ ...verb, row: mapRow(verb.row, map) }),
  'delete-many-related': ofWhere,
};
