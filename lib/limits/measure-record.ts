import { match, type Table } from '../query/match.js';
import { isUnique, type LinkedRow, type Verb, type WrittenRecord } from '../query/write.js';
import { countNodes } from '../wire/count-nodes.js';
import { type ConditionPlace, measureCondition, measureUnique } from './measure-condition.js';
import type { Meter } from './meter.js';

/** The place of a record in an argument. */
interface RecordPlace {
  readonly meter: Meter;
  readonly depth: number;
}

/** Measures a written record: the values of its lists and Json fields, and the conditions of its nested writes. */
export function measureRecord({ fields, relations }: WrittenRecord, { meter, depth }: RecordPlace): void {
  meter.depth(depth);
  for (const { field, value } of fields) if (field.list || field.type === 'Json') meter.values(countNodes(value));
  for (const { verbs } of relations) {
    meter.depth(depth + 1);
    for (const verb of verbs) match(VERBS, verb, { meter, depth: depth + 2 });
  }
}

const VERBS: Table<Verb, [RecordPlace], void> = {
  'create-related': ({ record }, place) => {
    measureRecord(record, place);
  },
  'create-many-related': ({ records }, place) => {
    measureParts(place, undefined, records);
  },
  'connect': ({ row }, place) => {
    measureUnique(row, condition(place));
  },
  'connect-or-create': ({ row, record }, place) => {
    measureParts(place, row, [record]);
  },
  'disconnect': ({ row }, place) => {
    measureRow(row, condition(place));
  },
  'set': ({ rows }, place) => {
    for (const row of rows) measureUnique(row, condition(place));
  },
  'update-related': ({ row, record }, place) => {
    measureParts(place, row, [record]);
  },
  'update-many-related': ({ where, record }, place) => {
    measureParts(place, where, [record]);
  },
  'upsert-related': ({ row, create, update }, place) => {
    measureParts(place, row, [create, update]);
  },
  'delete-related': ({ row }, place) => {
    measureRow(row, condition(place));
  },
  'delete-many-related': ({ where }, place) => {
    measureRow(where, condition(place));
  },
};

function condition({ meter, depth }: RecordPlace): ConditionPlace {
  return { meter, depth, factor: 1 };
}

function measureRow(row: LinkedRow, place: ConditionPlace): void {
  if (isUnique(row)) measureUnique(row, place);
  else if (row.kind !== 'always') measureCondition(row, place);
}

/** Measures a verb of several parts: the condition on its row, and its records. */
function measureParts({ meter, depth }: RecordPlace, row: LinkedRow | undefined, records: readonly WrittenRecord[]): void {
  meter.depth(depth);
  const below = { meter, depth: depth + 1 };
  if (row) measureRow(row, condition(below));
  for (const record of records) measureRecord(record, below);
}
