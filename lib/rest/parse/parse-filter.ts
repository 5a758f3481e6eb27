import type { Resource } from '../../model/surface/surface.js';
import { collect } from './collect.js';
import { parseCondition } from './parse-condition.js';
import type { FamilyParameter } from './parse-parameters.js';
import type { Filter } from './resource-query.js';
import type { RestContext } from './rest-context.js';

/**
 * Parses the `filter` family (specification, section 4.1.1). Several filters are combined with AND, even
 * equal ones. Filters under `filter[or][0]`, `filter[or][1]`, … are alternatives; those under the same number are combined with AND.
 *
 * @param start index of a filter's first selector; in `includeFilter`, the include path precedes it
 * @returns undefined if no filter was sent
 * @throws ApiError `invalid-filter`, `invalid-value`
 */
export function parseFilter(
  parameters: readonly FamilyParameter[],
  resource: Resource,
  context: RestContext,
  start = 0,
): Filter | undefined {
  const conditions = collect(parameters, (parameter) => {
    const groups = readGroups(parameter, start);
    return { groups, filter: parseCondition({ parameter, index: start + groups.length * 2, resource, context }) };
  });
  const root: Group = { filters: [], alternatives: new Map() };
  for (const { groups, filter } of conditions) enterGroup(root, groups).filters.push(filter);
  return toFilter(root);
}

/** Returns the numbers of all leading `[or][<number>]` pairs. A field called `or` is never followed by a number. */
function readGroups({ selectors }: FamilyParameter, start: number): readonly string[] {
  const groups: string[] = [];
  for (let at = start; selectors[at] === 'or'; at += 2) {
    const number = selectors[at + 1];
    if (number === undefined || !/^\d{1,4}$/.test(number)) break;
    groups.push(number);
  }
  return groups;
}

interface Group {
  readonly filters: Filter[];
  readonly alternatives: Map<string, Group>;
}

function enterGroup(root: Group, groups: readonly string[]): Group {
  let group = root;
  for (const number of groups) {
    const next: Group = group.alternatives.get(number) ?? { filters: [], alternatives: new Map() };
    group.alternatives.set(number, next);
    group = next;
  }
  return group;
}

function toFilter({ filters, alternatives }: Group): Filter | undefined {
  const any = [...alternatives.values()].flatMap((group) => toFilter(group) ?? []);
  const all = any.length > 0 ? [...filters, join('any', any)] : filters;
  return all.length > 0 ? join('all', all) : undefined;
}

function join(kind: 'all' | 'any', filters: readonly Filter[]): Filter {
  const [only, ...others] = filters;
  return only !== undefined && others.length === 0 ? only : { kind, filters };
}
