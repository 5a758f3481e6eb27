import { ApiError } from '../../errors/api-error.js';
import type { DatabaseProvider } from '../../model/schema/resource-schema.js';
import type { Storage, StoredField } from '../../model/storage/storage.js';
import { storedField, storedHop, storedModel } from '../../model/storage/stored-model.js';
import type { ComparisonOperator } from '../../model/surface/prisma-operators.js';
import type { Relationship } from '../../model/surface/surface.js';
import { ANY_NULL } from '../../model/values/json-value.js';
import { isTsQuery } from '../../model/values/ts-query.js';
import { escapeWildcards } from '../../prisma/escape-wildcards.js';
import {
  ALWAYS,
  and,
  compare,
  type Comparison,
  type Condition,
  equals,
  hasAny,
  type JsonComparison,
  not,
  or,
} from '../../query/condition.js';
import { fieldNamed, hasValues, isAmong } from '../../query/fields.js';
import { keyCondition } from '../../query/key.js';
import { isTextMatch, type ListFilterOperator, type ScalarFilterOperator } from '../parse/filter-operators.js';
import type { AttributeFilter, Filter, KeyFilter, PresenceFilter, RelationFilter } from '../parse/resource-query.js';

/** Compiles a filter into a condition. */
export function planFilter(filter: Filter, storage: Storage): Condition {
  switch (filter.kind) {
    case 'all':
      return and(...filter.filters.map((one) => planFilter(one, storage)));
    case 'any':
      return or(...filter.filters.map((one) => planFilter(one, storage)));
    case 'attribute':
      return planAttributeFilter(filter, storedField(storage, filter.attribute), storage.provider);
    case 'key':
      return filter.negated ? not(planKey(filter, storage)) : planKey(filter, storage);
    case 'relation':
      return planRelation(filter, storage);
    case 'presence':
      return planPresence(filter, storage);
  }
}

function planKey({ resource: { model, identifier }, ids }: KeyFilter, storage: Storage): Condition {
  const stored = storedModel(storage, model);
  const names = identifier.fields.map(({ name }) => name);
  if (names.length === 1 && ids.length > 1) return isAmong(stored, names, ids);
  return or(...ids.map((id) => keyCondition(stored, identifier, id)));
}

function planRelation({ relationship, match, filter }: RelationFilter, storage: Storage): Condition {
  const ownKey = filter.kind === 'key' ? planForeignKey(relationship, filter, storage) : undefined;
  const related = (kind: 'is' | 'some' | 'every' | 'none'): Condition =>
    Object.freeze({ kind, ...storedHop(storage, relationship), condition: planFilter(filter, storage) });
  switch (match) {
    case 'one':
      return ownKey?.linked ?? related('is');
    case 'notOne':
      return ownKey ? or(not(ownKey.linked), ...ownKey.unlinked) : not(related('is'));
    case 'some':
    case 'every':
    case 'none':
      return related(match);
  }
}

interface OwnKey {
  readonly linked: Condition;
  /**
   * Conditions that a column of the key is null. In SQL, a row with a null key meets neither a comparison of the key nor its negation. Required columns
   * have none, because Prisma does not compare them with null.
   */
  readonly unlinked: readonly Condition[];
}

/** Compiles a comparison of ids into one of the row's own foreign key, without a join. Returns undefined if the row does not hold the key. */
function planForeignKey({ model, optional, linkageKey }: Relationship, { ids }: KeyFilter, storage: Storage): OwnKey | undefined {
  if (!linkageKey) return undefined;
  const stored = storedModel(storage, model);
  const { fields, references } = linkageKey;
  const rows = ids.map((id) => Object.fromEntries(fields.map((field, index) => [field, id[references[index] ?? '']])));
  const [row, ...others] = rows;
  const linked = row && others.length === 0 ? hasValues(stored, row) : isAmong(stored, fields, rows);
  const columns = optional ? fields.map((name) => fieldNamed(stored, name)).filter((field) => field.optional) : [];
  return { linked, unlinked: columns.map((field) => equals(field, null)) };
}

function planPresence({ relationship, present }: PresenceFilter, storage: Storage): Condition {
  const some = relationship.many ? 'some' : 'is';
  const none = relationship.many ? 'none' : 'isNot';
  const hop = storedHop(storage, relationship);
  return Object.freeze({ kind: present ? some : none, ...hop, condition: isExisting(hop) });
}

/**
 * Returns a condition that every related row meets. Without a condition, Prisma takes a foreign key of several columns for null only if all of them
 * are null.
 */
function isExisting({ relation: { foreignKey }, target }: ReturnType<typeof storedHop>): Condition {
  const [first, ...others] = foreignKey?.references ?? [];
  return first === undefined || others.length === 0 ? ALWAYS : hasAny(fieldNamed(target, first));
}

/** Compiles one comparison. Several values are alternatives, unless the operator takes them together. */
function planAttributeFilter({ operator, values }: AttributeFilter, field: StoredField, provider: DatabaseProvider): Condition {
  const isText = isTextMatch(operator);
  const operands = values.map((value) => {
    if (value === null) return nullOf(field);
    // The escape of wildcards depends on the database.
    return isText && typeof value === 'string' ? escapeWildcards(value, provider) : value;
  });
  const comparison = operator.on === 'list' ? planOfList(field, operator, operands) : planComparison(field, operator, operands);
  if (operator.negated !== true) return comparison;
  // In SQL, a null meets neither a comparison nor its negation, so that the negation must add it. A null among the operands, which Json has, covers
  // it already.
  const isNullMissing = field.optional && !values.includes(null);
  return isNullMissing ? or(not(comparison), isEqual(field, nullOf(field))) : not(comparison);
}

/** Returns the null that a field is compared with. A Json field has two nulls, the column's and JSON's, which are identical in a response. */
function nullOf({ type }: StoredField): unknown {
  return type === 'Json' ? ANY_NULL : null;
}

function planOfList(field: StoredField, { operand: takes, prisma: [operator] }: ListFilterOperator, values: readonly unknown[]): Condition {
  const compareList = (operand: unknown): Condition => Object.freeze({ kind: 'list', field, operator, operand });
  switch (takes) {
    case 'any':
      return or(...values.map(compareList));
    case 'list':
      return compareList(values);
    case 'flag':
      return compareList(values[0]);
  }
}

function planComparison(field: StoredField, { operand, prisma, insensitive }: ScalarFilterOperator, values: readonly unknown[]): Condition {
  const [first, second = first] = prisma;
  switch (operand) {
    case 'any':
      return or(...values.map((value) => compareScalar(field, first, value, insensitive)));
    case 'list':
      // Prisma has no `in` for Boolean and Json.
      if (field.type === 'Boolean' || field.type === 'Json') return or(...values.map((value) => isEqual(field, value)));
      return compare(field, first, values);
    case 'range':
      return and(compare(field, first, values[0]), compare(field, second, values[1]));
    case 'null': {
      const isNull = isEqual(field, nullOf(field));
      if (values[0] === true) return isNull;
      return isNull.kind === 'json'
        ? Object.freeze({ ...isNull, operator: 'not' as const })
        : Object.freeze({ ...isNull, isNegated: true });
    }
  }
}

function compareScalar(field: StoredField, operator: ComparisonOperator, operand: unknown, insensitive = false): Condition {
  // The parser has checked that the field supports the operator. For Json that is equality alone.
  if (field.type === 'Json') return isEqual(field, operand);
  const comparison = compare(field, operator, operand);
  return insensitive ? { ...comparison, isInsensitive: true } : comparison;
}

function isEqual(field: StoredField, operand: unknown): Comparison | JsonComparison {
  if (field.type !== 'Json') return compare(field, 'equals', operand);
  return Object.freeze({ kind: 'json', field, operator: 'equals', operand, isInsensitive: false });
}

/**
 * Rejects a full-text search whose text is not a query in PostgreSQL's syntax. The database's error would reveal whether it has evaluated a row.
 *
 * @param parameterOf returns the parameter of the search, for the error
 * @throws ApiError `invalid-filter`
 */
export function requireSearches(filter: Filter, { orm, provider }: Storage, parameterOf: () => string): void {
  if (orm !== 'prisma' || provider !== 'postgresql' || searchesOf(filter).every(isTsQuery)) return;
  const detail = `The database (postgresql) refused the operator '$search': the text is no query in its syntax.`;
  throw new ApiError('invalid-filter', detail, { source: { parameter: parameterOf() } });
}

function searchesOf(filter: Filter): readonly string[] {
  switch (filter.kind) {
    case 'all':
    case 'any':
      return filter.filters.flatMap(searchesOf);
    case 'relation':
      return searchesOf(filter.filter);
    case 'attribute':
      return filter.operator.prisma[0] === 'search' ? filter.values.map(String) : [];
    case 'key':
    case 'presence':
      return [];
  }
}
