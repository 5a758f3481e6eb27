import type { ApiError } from '../../errors/api-error.js';
import { didYouMean } from '../../errors/did-you-mean.js';
import { quote } from '../../errors/quote.js';
import { describeType } from '../../model/surface/lacked-comparisons.js';
import type { Attribute, Relationship, Resource } from '../../model/surface/surface.js';
import { collect } from './collect.js';
import { type FamilyParameter, parameterError } from './parse-parameters.js';
import type { SortKey } from './resource-query.js';
import type { RestContext } from './rest-context.js';
import { splitList } from './split-list.js';

/** Last name of a path that sorts by the number of related resources: `comments.$count`. */
const COUNT = '$count';

/**
 * Parses `sort`: a comma-separated list of keys, each with `-` before it for descending order (SO-01 to SO-03).
 *
 * A key is an attribute, `id`, a path through to-one relationships (`author.name`, and `author` for `author.id`), or the number of related
 * resources (`comments.$count`).
 *
 * @throws ApiError `invalid-sort`, `limit-exceeded`
 */
export function parseSort(parameters: readonly FamilyParameter[], root: Resource, { limits }: RestContext): readonly SortKey[] {
  const items = parameters.flatMap((parameter) => readItems(parameter, limits.maxFilterTerms + 1));
  const [over] = items.slice(limits.maxFilterTerms);
  if (over) throw tooLong(over.parameter, `${limits.maxFilterTerms} keys (limits.maxFilterTerms)`);
  const seen = new Set<string>();
  const keys = collect(items, (item) => {
    if (seen.has(item.path)) throw sortError({ ...item, name: item.path }, 'is sorted by already.');
    seen.add(item.path);
    return readKeys(item, root, limits.maxDepth);
  });
  return keys.flat();
}

interface SortItem {
  readonly path: string;
  readonly direction: 'asc' | 'desc';
  /** Position of the path in the parameter's value. */
  readonly position: number;
  readonly parameter: string;
}

function readItems({ name, selectors, value }: FamilyParameter, most: number): readonly SortItem[] {
  if (selectors.length > 0) throw parameterError('invalid-sort', name, `There is no ${quote(name)}, only sort.`);
  return splitList(value, most).map(({ text, position }) =>
    text.startsWith('-')
      ? { path: text.slice(1), direction: 'desc', position: position + 1, parameter: name }
      : { path: text, direction: 'asc', position, parameter: name },
  );
}

/** The current name of a path that is being parsed. */
interface Step {
  /** The relationships before that name. */
  readonly path: readonly Relationship[];
  readonly resource: Resource;
  readonly name: string;
  readonly position: number;
  readonly parameter: string;
}

/** Parses one element of `sort` as one key. A compound id gives one key for each of its fields. */
function readKeys(item: SortItem, resource: Resource, maxDepth: number): readonly SortKey[] {
  const { direction, position, parameter } = item;
  const names = item.path.split('.', maxDepth + 1);
  if (names.length <= maxDepth) return followPath(names, { path: [], resource, name: '', position, parameter }, direction);
  throw tooLong(parameter, `${maxDepth} names in a path (limits.maxDepth)`);
}

function followPath([name = '', ...rest]: readonly string[], before: Step, direction: SortKey['direction']): readonly SortKey[] {
  const step = { ...before, name };
  const { path, position } = step;
  if (rest.length === 0 && isToOne(step)) return followPath([name, 'id'], before, direction);
  if (rest.length === 0) return readAttributes(step).map((attribute) => ({ kind: 'attribute', path, attribute, direction }));
  const relationship = findRelationship(step);
  if (relationship.many) return [{ kind: 'count', path, relationship: requireCount(relationship, step, rest), direction }];
  const next = { ...step, path: [...path, relationship], resource: relationship.target, position: position + name.length + 1 };
  return followPath(rest, next, direction);
}

/** Returns the attribute at the end of a path, or for `id` the fields of the id. */
function readAttributes(step: Step): readonly Attribute[] {
  const { resource, name } = step;
  if (name === 'id' && isIdSortable(resource)) return resource.identifier.fields;
  const field = resource.members.get(name);
  if (field?.kind === 'attribute' && field.rights.sort) return [field];
  if (field?.kind !== 'relationship') throw unknownKey(step);
  throw sortError(step, `is a relationship: sort by its number, '${name}.${COUNT}'.`);
}

function isIdSortable({ identifier }: Resource): boolean {
  return identifier.fields.every(({ rights }) => rights.sort);
}

function isToOne({ resource, name }: Step): boolean {
  const field = resource.members.get(name);
  return field?.kind === 'relationship' && !field.many;
}

function findRelationship(step: Step): Relationship {
  const field = step.resource.members.get(step.name);
  if (field?.kind === 'relationship' && field.rights.sort) return field;
  if (field?.kind === 'attribute' && field.rights.sort) throw sortError(step, 'is no relationship.');
  throw unknownKey(step);
}

function requireCount(relationship: Relationship, step: Step, rest: readonly string[]): Relationship {
  if (rest.length === 1 && rest[0] === COUNT) return relationship;
  throw sortError(step, `is a to-many relationship: sort by its number, '${step.name}.${COUNT}'.`);
}

function unknownKey(step: Step): ApiError {
  const { resource, name } = step;
  const sortable = [...resource.members.values()].filter(({ rights }) => rights.sort).map(({ member }) => member);
  const known = isIdSortable(resource) ? ['id', ...sortable] : sortable;
  const field = resource.members.get(name);
  if (field?.kind === 'attribute' && field.closed.sort === 'column-type')
    return sortError(step, `cannot be sorted by: its type ${describeType(field)} has no order.`);
  if (field) return sortError(step, 'cannot be sorted by.');
  return parameterError(
    'invalid-sort',
    step.parameter,
    `${resource.type} has no field ${quote(name)}, at position ${step.position}.${didYouMean(name, known)}`,
  );
}

function sortError({ name, position, parameter }: Pick<Step, 'name' | 'position' | 'parameter'>, problem: string): ApiError {
  return parameterError('invalid-sort', parameter, `${quote(name)} at position ${position} ${problem}`);
}

function tooLong(parameter: string, limit: string): ApiError {
  return parameterError('limit-exceeded', parameter, `A sort has at most ${limit}.`);
}
