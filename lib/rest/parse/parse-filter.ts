import { type Limits } from '../../model/limits.js';
import { type Resource } from '../../model/resource-model.js';
import { collect } from './collect.js';
import { type Filter } from './filter.js';
import { parameterError } from './parameter-error.js';
import { parseCondition } from './parse-condition.js';
import { type FamilyParameter } from './parse-parameters.js';
import { type RestContext } from './rest-context.js';

/**
 * Reads the `filter` family (specification, section 4.1.1, and decisions, "REST details"). Several filters are combined, the same one given
 * twice included. The filters under `filter[or][0]`, `filter[or][1]`, … are alternatives, and those under one number are combined.
 *
 * @returns undefined where no filter was sent
 * @throws ApiError `invalid-filter`, `invalid-value`, `limit-exceeded`
 */
export function parseFilter(parameters: readonly FamilyParameter[], resource: Resource, context: RestContext): Filter | undefined {
  const conditions = collect(parameters, (parameter) => {
    const groups = readGroups(parameter);
    return { parameter, groups, filter: parseCondition({ parameter, index: groups.length * 2, resource, context }) };
  });
  checkTerms(conditions, context.limits);
  const root: Group = { filters: [], alternatives: new Map() };
  for (const { groups, filter } of conditions) enterGroup(root, groups).filters.push(filter);
  return toFilter(root);
}

interface Condition {
  readonly parameter: FamilyParameter;
  /** Numbers of the alternatives that it stands under, from the outside. */
  readonly groups: readonly string[];
  readonly filter: Filter;
}

/** Reads `[or][<number>]` as often as it comes; a field called `or` is never followed by a number. */
function readGroups({ selectors }: FamilyParameter): readonly string[] {
  const groups: string[] = [];
  for (let at = 0; selectors[at] === 'or'; at += 2) {
    const number = selectors[at + 1];
    if (number === undefined || !/^\d{1,4}$/.test(number)) break;
    groups.push(number);
  }
  return groups;
}

function checkTerms(conditions: readonly Condition[], { maxFilterTerms }: Limits): void {
  let terms = 0;
  for (const { parameter, filter } of conditions) {
    terms += countTerms(filter);
    if (terms <= maxFilterTerms) continue;
    throw parameterError('limit-exceeded', parameter.name, `A filter has at most ${maxFilterTerms} terms (limits.maxFilterTerms).`);
  }
}

function countTerms(filter: Filter): number {
  switch (filter.kind) {
    case 'all':
    case 'any':
      return filter.filters.reduce((sum, one) => sum + countTerms(one), 0);
    case 'attribute':
      return Math.max(1, filter.values.length);
    case 'key':
      return filter.ids.length * filter.key.fields.length;
    case 'relation':
      return countTerms(filter.filter);
    case 'presence':
      return 1;
  }
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
