import type { FieldDescription, RelationDescription } from '../rpc/protocol/api-description.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import type { DescribedApi, DescribedModel } from './described-api.js';
import { isIdOf, type Row, whereOfIds } from './ids.js';
import { textOf, toFieldValue } from './values.js';

/** Where a filter is: its model, and the models that its relations lead to. */
export interface FilterScope {
  readonly model: DescribedModel;
  readonly api: DescribedApi;
}

const CONNECTIVES: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT']);
const RELATION_OPERATORS: ReadonlySet<string> = new Set(['some', 'every', 'none', 'is', 'isNot']);

/** The operators of Prisma that may end a name: `title_contains`. */
const OPERATORS: ReadonlySet<string> = new Set([
  ...['equals', 'not', 'in', 'notIn', 'lt', 'lte', 'gt', 'gte', 'contains', 'startsWith', 'endsWith', 'search'],
  ...['has', 'hasSome', 'hasEvery', 'isEmpty'],
]);

/**
 * Returns Prisma's `where` of a filter of an admin interface.
 *
 * @example
 * whereOf({ title_contains: 'x' }, scope);        // { title: { contains: 'x' } }
 * whereOf({ author: { name: 'Ann' } }, scope);    // { author: { name: 'Ann' } }
 * whereOf({ comments: { body_contains: 'x' } }, scope); // { comments: { some: { body: { contains: 'x' } } } }
 * whereOf({ q: 'x' }, scope);                     // { OR: [{ title: { contains: 'x', mode: 'insensitive' } }, …] }
 */
export function whereOf(filter: Row, scope: FilterScope): Row {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  return allOf(given.map(([name, value]) => conditionOf(name, value, scope)));
}

/** Returns the conjunction of conditions. */
export function allOf(conditions: readonly Row[]): Row {
  const [first = {}, ...others] = conditions;
  return others.length === 0 ? first : { AND: conditions };
}

/** Returns the condition of one name: a connective, a field, a relation, `id`, `q`, a path `author.name`, or a name that ends with an operator. */
export function conditionOf(name: string, value: unknown, scope: FilterScope): Row {
  if (CONNECTIVES.has(name)) return { [name]: wheresOf(value, scope) };
  const { model, api } = scope;
  const field = model.fieldOf(name);
  if (field) return { [name]: fieldFilter(field, value) };
  const relation = model.relationOf(name);
  if (relation) return relationFilter(relation, value, api);
  if (isIdOf(name, model)) return whereOfIds(Array.isArray(value) ? value : [value], model);
  if (name === 'q') return searchIn(model, value);
  return nestedCondition(name, value, scope);
}

function wheresOf(value: unknown, scope: FilterScope): unknown {
  if (Array.isArray(value)) return value.map((item) => wheresOf(item, scope));
  return isPlainObject(value) ? whereOf(value, scope) : value;
}

function nestedCondition(name: string, value: unknown, scope: FilterScope): Row {
  const dot = name.indexOf('.');
  if (dot > 0) return conditionOf(name.slice(0, dot), { [name.slice(dot + 1)]: value }, scope);
  const [, stem = '', operator = ''] = /^(.+)_([A-Za-z]+)$/.exec(name) ?? [];
  const field = OPERATORS.has(operator) ? scope.model.fieldOf(stem) : undefined;
  // The server refuses any other name.
  return field ? { [stem]: fieldFilter(field, { [operator]: value }) } : { [name]: value };
}

/** Returns the filter of a field: Prisma's, a value that it equals, one element of a list, or a list of possible values. */
function fieldFilter(field: FieldDescription, value: unknown): unknown {
  if (field.type === 'Json') return isPlainObject(value) ? value : { equals: value };
  if (Array.isArray(value)) return { [field.list ? 'equals' : 'in']: toFieldValue(field, value) };
  if (isPlainObject(value)) return operatorsOf(field, value);
  return { [field.list && value !== null ? 'has' : 'equals']: toFieldValue(field, value) };
}

function operatorsOf(field: FieldDescription, filter: Row): Row {
  const entries = Object.entries(filter).flatMap(([operator, operand]) => {
    if (operand === undefined) return [];
    if (operator === 'mode') return [[operator, operand] as const];
    if (PATTERNS.has(operator)) return [[operator, literalText(field, operand)] as const];
    if (operator === 'isEmpty') return [[operator, toFieldValue({ ...field, type: 'Boolean' }, operand)] as const];
    return [[operator, isPlainObject(operand) ? operatorsOf(field, operand) : toFieldValue(field, operand)] as const];
  });
  return Object.fromEntries(entries);
}

/** The operators for which Prisma takes `%` and `_` as wildcards. */
const PATTERNS: ReadonlySet<string> = new Set(['contains', 'startsWith', 'endsWith']);

/**
 * Escapes the wildcards of a text where `\` is the escape character: on the databases that can ignore the letter case. Elsewhere the text is sent
 * unchanged.
 */
function literalText({ caseInsensitive }: FieldDescription, text: unknown): unknown {
  return caseInsensitive && typeof text === 'string' ? text.replace(/[\\%_]/g, '\\$&') : text;
}

function relationFilter(relation: RelationDescription, value: unknown, api: DescribedApi): Row {
  const { name, list } = relation;
  const target = api.models.get(relation.model);
  if (value === null || !target) return { [name]: value };
  if (!isPlainObject(value)) return { [name]: around(list, whereOfIds(Array.isArray(value) ? value : [value], target)) };
  const scope = { model: target, api };
  const operators = Object.entries(value).filter(([operator]) => RELATION_OPERATORS.has(operator));
  const rest = Object.fromEntries(Object.entries(value).filter(([operator]) => !RELATION_OPERATORS.has(operator)));
  const conditions = operators.map(([operator, where]) => ({ [name]: { [operator]: wheresOf(where, scope) } }));
  const isWhole = operators.length > 0 && Object.keys(rest).length === 0;
  return allOf(isWhole ? conditions : [...conditions, { [name]: around(list, whereOf(rest, scope)) }]);
}

function around(list: boolean, where: Row): Row {
  return list ? { some: where } : where;
}

/** Returns the field that a path leads to: `name` of a user for `author.name`. */
export function fieldAt(path: string, { model, api }: FilterScope): FieldDescription | undefined {
  const field = model.fieldOf(path);
  const [name = '', ...further] = path.split('.');
  const target = field ? undefined : api.models.get(model.relationOf(name)?.model ?? '');
  return target && further.length > 0 ? fieldAt(further.join('.'), { model: target, api }) : field;
}

/** Returns the condition that one of the texts of a record contains a text, in any letter case where the database can compare so. */
function searchIn({ fields }: DescribedModel, value: unknown): Row {
  if (value === null || value === '') return {};
  const contains = textOf(value);
  const isSearched = ({ type, list, format, rights, operators }: FieldDescription): boolean =>
    type === 'String' && !list && format === undefined && rights.includes('filter') && operators?.includes('contains') !== false;
  const conditions = fields
    .filter(isSearched)
    .map((field) => ({ [field.name]: operatorsOf(field, { contains, ...(field.caseInsensitive && { mode: 'insensitive' }) }) }));
  return { OR: conditions };
}
