import { type ApiError } from '../../errors/api-error.js';
import { didYouMean } from '../../errors/did-you-mean.js';
import { type Attribute, type Relationship, type Resource } from '../../model/resource-model.js';
import { collect } from './collect.js';
import { parameterError, quote } from './parameter-error.js';
import { type FamilyParameter } from './parse-parameters.js';
import { type SortKey } from './resource-query.js';
import { type RestContext } from './rest-context.js';
import { type ListItem, splitList } from './split-list.js';

/** Ends a path that sorts by the number of related resources: `comments.$count`. */
const COUNT = '$count';

/**
 * Reads `sort`: a comma list of keys, each with `-` before it for descending order (SO-01 to SO-03). A key is an attribute, `id`, a path
 * through to-one relationships (`author.name`), or the number of related resources (`comments.$count`).
 *
 * @throws ApiError `invalid-sort`, `limit-exceeded`
 */
export function parseSort(parameters: readonly FamilyParameter[], root: Resource, { limits }: RestContext): readonly SortKey[] {
  const items = parameters.flatMap((parameter) => readItems(parameter));
  const [over] = items.slice(limits.maxFilterTerms);
  if (over)
    throw parameterError('limit-exceeded', over.parameter, `A sort has at most ${limits.maxFilterTerms} keys (limits.maxFilterTerms).`);
  return collect(items, (item) => readKey(item, root, limits.maxDepth)).flat();
}

interface SortItem extends ListItem {
  readonly parameter: string;
}

function readItems({ name, selectors, value }: FamilyParameter): readonly SortItem[] {
  if (selectors.length > 0) throw parameterError('invalid-sort', name, `There is no ${quote(name)}, only sort.`);
  return splitList(value).map((item) => ({ ...item, parameter: name }));
}

/** Where the reader stands in a path. */
interface Step {
  readonly resource: Resource;
  readonly name: string;
  readonly position: number;
  readonly parameter: string;
}

/** One key, or for a compound id one for each of its fields. */
function readKey({ text, position, parameter }: SortItem, root: Resource, maxDepth: number): readonly SortKey[] {
  const descends = text.startsWith('-');
  const direction = descends ? 'desc' : 'asc';
  const names = text.slice(descends ? 1 : 0).split('.', maxDepth + 1);
  if (names.length > maxDepth)
    throw parameterError('limit-exceeded', parameter, `A sort path has at most ${maxDepth} names (limits.maxDepth).`);
  const path: Relationship[] = [];
  let step: Step = { resource: root, name: '', position: position + (descends ? 1 : 0), parameter };
  for (const [index, name] of names.entries()) {
    step = { ...step, name };
    const isLast = index === names.length - 1;
    if (isLast) return readAttributes(step).map((attribute) => ({ kind: 'attribute', path, attribute, direction }));
    const relationship = findRelationship(step);
    if (relationship.many)
      return [{ kind: 'count', path, relationship: requireCount(relationship, step, names.slice(index + 1)), direction }];
    path.push(relationship);
    step = { ...step, resource: relationship.target, position: step.position + name.length + 1 };
  }
  return [];
}

/** The attribute at the end of a path; for `id` the fields of the id (decisions, "REST details"). */
function readAttributes(step: Step): readonly Attribute[] {
  const { resource, name } = step;
  if (name === 'id' && resource.identifier.fields.every(({ rights }) => rights.sort)) return resource.identifier.fields;
  const field = resource.members.get(name);
  if (field?.kind === 'attribute' && field.rights.sort) return [field];
  if (field?.kind !== 'relationship') throw unknownKey(step);
  const remedy = field.many ? `sort by its number, '${name}.${COUNT}'` : 'sort by one of its fields';
  throw sortError(step, `is a relationship: ${remedy}.`);
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
  const known = ['id', ...[...resource.members.values()].filter(({ rights }) => rights.sort).map(({ member }) => member)];
  if (resource.members.has(name)) return sortError(step, 'cannot be sorted by.');
  return parameterError(
    'invalid-sort',
    step.parameter,
    `${resource.type} has no field ${quote(name)}, at position ${step.position}.${didYouMean(name, known)}`,
  );
}

function sortError({ name, position, parameter }: Step, problem: string): ApiError {
  return parameterError('invalid-sort', parameter, `${quote(name)} at position ${position} ${problem}`);
}
