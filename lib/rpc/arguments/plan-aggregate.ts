import { givenEntries } from '../../model/given-entries.js';
import type { DatabaseProvider } from '../../model/schema/resource-schema.js';
import type { StoredField } from '../../model/storage/storage.js';
import { storedField } from '../../model/storage/stored-model.js';
import { mayCombine } from '../../model/surface/rights.js';
import { describeType } from '../../model/surface/lacked-comparisons.js';
import type { Attribute, Resource } from '../../model/surface/surface.js';
import { ALL_ROWS } from '../../prisma/words.js';
import type { AggregateMember, CountedValues } from '../../query/read.js';
import { type AggregateDefinition, AGGREGATE, isComputable } from '../../prisma/aggregates.js';
import type { ArgumentPath } from './argument-path.js';
import { readBoolean, readObject } from '../../prisma/typed-slots.js';

/** Plans `_avg`, `_sum`, `_min` and `_max`: readable fields that the function accepts. */
export function planAggregate(aggregate: AggregateDefinition) {
  return (resource: Resource, value: unknown, path: ArgumentPath): readonly CountedValues[] =>
    planFields(resource, value, { path, aggregate });
}

/** Plans the `select` of `count`: a flag counts rows, and an object is planned as that of `_count`. */
export function planCountSelect(resource: Resource, value: unknown, path: ArgumentPath): AggregateMember['of'] {
  return typeof value === 'boolean' ? 'rows' : planCountAggregate(resource, value, path);
}

/** Plans `_count`: `true` counts rows; an object counts the values of its fields and, with `_all`, rows. */
export function planCountAggregate(resource: Resource, value: unknown, path: ArgumentPath): AggregateMember['of'] {
  return value === true ? 'rows' : planFields(resource, value, { path, aggregate: AGGREGATE._count, all: ALL_ROWS });
}

interface Aggregated {
  readonly path: ArgumentPath;
  readonly aggregate: AggregateDefinition;
  readonly all?: typeof ALL_ROWS;
}

function planFields(resource: Resource, value: unknown, { path, aggregate, all }: Aggregated): readonly CountedValues[] {
  const takes = (attribute: Attribute): boolean => aggregate.takes(attribute) && mayCombine(attribute);
  const known = new Map(resource.attributes.filter(takes).map((attribute) => [attribute.name, attribute]));
  const names = all === undefined ? known.keys() : [...known.keys(), all];
  const wanted = givenEntries(readObject(value, path)).flatMap(([key, isWanted]): readonly CountedValues[] => {
    const place = path.member(key);
    const attribute = known.get(key);
    if (!attribute && key !== all) place.refuseUnknown(names);
    if (attribute) requireComputable(aggregate, attribute, place);
    if (!readBoolean(isWanted, place)) return [];
    return [attribute ? requireShort(storedField(place.storage, attribute), path) : ALL_ROWS];
  });
  if (wanted.length === 0) path.refuse('must name at least one field.', 'invalid-fields');
  return wanted;
}

/** Rejects an aggregate that the database cannot compute for the type of the field. */
export function requireComputable(aggregate: AggregateDefinition, field: Attribute, place: ArgumentPath): void {
  if (isComputable(aggregate, field)) return;
  place.refuse(`has the type ${describeType(field)}, of which the database has no such aggregate.`, 'invalid-fields');
}

/**
 * Rejects a field whose aggregate has too long a column name. Prisma reads a column such as `_min$<column>`, but PostgreSQL truncates names to 63
 * bytes.
 */
function requireShort(field: StoredField, path: ArgumentPath): StoredField {
  const name = path.keys.at(-1);
  const alias = `${name === 'select' ? '_count' : String(name)}$${field.column}`;
  if (KEEPS_63_BYTES.has(path.database.provider) && Buffer.byteLength(alias) > 63) {
    path
      .member(field.name)
      .refuse(`cannot be aggregated: Prisma needs a column name of ${63 - alias.indexOf('$') - 1} bytes at most.`, 'query-error');
  }
  return field;
}

const KEEPS_63_BYTES: ReadonlySet<DatabaseProvider> = new Set<DatabaseProvider>(['postgresql', 'cockroachdb']);
