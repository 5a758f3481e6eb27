import { describeType } from '../model/surface/lacked-comparisons.js';
import type { StoredField } from '../model/storage/storage.js';
import type { AggregateFunction, Condition } from '../query/condition.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { type AggregateDefinition, aggregatesOf, isComputable } from './aggregates.js';
import type { Place } from './place.js';
import { JSON_OPERATORS, readJsonFilter } from './read-json-filter.js';
import { readGroupListFilter } from './read-list-filter.js';
import type { Operator, OperatorReader, Operators } from './read-operators.js';
import { mapComparisons, operatorsOf, readComparisons, readNegated, readScalarFilter, withoutMode } from './read-scalar-filter.js';
import { readConditions } from './read-where.js';
import { readObject } from './typed-slots.js';
import type { FieldWord, Vocabulary } from './vocabulary.js';

/** Reads the `having` of a `groupBy`: conditions on the fields of `by`, and on aggregates (`{ viewCount: { _avg: { gt: 5 } } }`). */
export function readHaving(vocabulary: Vocabulary, value: unknown, place: Place): Condition {
  vocabulary.requireReadable(place);
  return readConditions(vocabulary, { value, place }, readGroupFilter);
}

function readGroupFilter(word: FieldWord, value: unknown, place: Place): Condition {
  if (word.kind === 'relationship') return place.refuse('is a relation; groups are made of plain fields.', 'invalid-filter');
  word.requireFilter(place);
  if (word.field.list) return readGroupListFilter(word, value, place);
  if (word.field.type === 'Json') return readJsonFilter(word, value, place, groupOperatorsOf(word.field));
  return isPlainObject(value)
    ? readComparisons(word, groupOperatorsOf(word.field), { value, place })
    : readScalarFilter(word, value, place);
}

const readNot: OperatorReader = (word, operand, place) => readNegated(word, groupOperatorsOf(word.field), { value: operand, place });

type Typed = Pick<StoredField, 'type' | 'list' | 'lacks'>;

/** Returns the operators of Prisma's `…WithAggregatesFilter` types: those of a plain filter, and a filter for each aggregate function. */
export function groupOperatorsOf(field: Typed): Operators {
  const isJson = field.type === 'Json';
  return new Map<string, Operator>([
    ...(isJson ? JSON_OPERATORS : operatorsOf(field)),
    ...(isJson ? [] : [['not', { read: readNot, takes: 'filter' }] as const]),
    ...aggregatesOf(field).map(([name, aggregate]) => [name, { read: readResultFilter(name, aggregate), takes: 'result' }] as const),
  ]);
}

function readResultFilter(name: AggregateFunction, aggregate: AggregateDefinition): OperatorReader {
  return (word, operand, place) => {
    if (!isComputable(aggregate, word.field))
      place.refuse(`does not go with the type ${describeType(word.field)}, of which the database has no such aggregate.`, 'invalid-filter');
    // Unlike in `where`, a plain value is no short form of `equals`.
    readObject(operand, place);
    const result = word.ofType(aggregate.resultType(word.field), name === '_sum');
    const condition = withoutMode(readScalarFilter(result, operand, place), { value: operand, place });
    return mapComparisons(condition, (one) => ({ ...one, field: word.field, aggregate: name }));
  };
}
