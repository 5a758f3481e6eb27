import { ApiError, type Problem } from '../../errors/api-error.js';
import { type ErrorCode } from '../../errors/error-catalogue.js';
import { cut } from '../../errors/quote.js';
import { collect, collectAll } from './collect.js';
import { parameterError } from './parameter-error.js';
import { parseFields } from './parse-fields.js';
import { parseFilter } from './parse-filter.js';
import { type IncludeStart, parseInclude } from './parse-include.js';
import { parsePage } from './parse-page.js';
import { type FamilyName, type FamilyParameter, parseParameters } from './parse-parameters.js';
import { parseSort } from './parse-sort.js';
import { type CollectionTarget, type RelationshipTarget } from './parse-target.js';
import { type CollectionQuery, type QueryTarget, type ResourceQuery, type SingleQuery, type SingleTarget } from './resource-query.js';
import { type IncludeTree, type Shape, shapeOf, type View } from './resource-shape.js';
import { type RestContext } from './rest-context.js';

/**
 * Reads the query string of a URL: text becomes meaning, once. Every parameter is read, so that the error names all that is wrong.
 *
 * A collection takes every family; one resource, and what a to-one relationship leads to, `include` and `fields`. Writes ask for
 * `{ kind: 'resource', resource }`, or for the relationship that they write.
 *
 * @param search - the query string without `?`
 * @throws ApiError with `source.parameter`, and in the text the position of the fault in the name or the value, counted from 1
 */
export function parseQuery(target: CollectionTarget, search: string, context: RestContext): CollectionQuery;
export function parseQuery<Target extends SingleTarget>(target: Target, search: string, context: RestContext): SingleQuery<Target>;
export function parseQuery(target: RelationshipTarget, search: string, context: RestContext): ResourceQuery<RelationshipTarget>;
export function parseQuery(target: QueryTarget, search: string, context: RestContext): ResourceQuery {
  const isCollection = isCollectionTarget(target);
  const resource = 'relationship' in target ? target.relationship.target : target.resource;
  const { all, families, problems } = parseParameters(search, isCollection ? COLLECTION_FAMILIES : SINGLE_FAMILIES, context.limits);
  const given = (name: FamilyName): readonly FamilyParameter[] => families.filter(({ family }) => family === name);
  const { include, fields, filter, sort, page } = collectAll({
    names: () => {
      requireNone(problems);
    },
    repetitions: () => {
      if (context.settings.strict) requireSingle(families);
    },
    include: () => parseInclude(given('include'), startOf(target), context),
    fields: () => parseFields(given('fields'), context),
    filter: () => parseFilter(given('filter'), resource, context),
    sort: () => parseSort(given('sort'), resource, context),
    page: () => parsePage(given('page'), context),
  });
  const base = {
    target,
    resource,
    shape: shapeData(target, { include, fields, strict: context.settings.strict }),
    compound: include !== undefined,
    parameters: all,
  };
  if (!isCollection) return { kind: 'single', ...base };
  return { kind: 'collection', ...base, ...(filter && { filter }), sort, page };
}

const SINGLE_FAMILIES: readonly FamilyName[] = ['include', 'fields'];
const COLLECTION_FAMILIES: readonly FamilyName[] = ['filter', 'sort', 'page', 'include', 'fields'];

function isCollectionTarget(target: QueryTarget): boolean {
  switch (target.kind) {
    case 'collection':
      return true;
    case 'resource':
      return false;
    case 'related':
    case 'relationship':
      return target.relationship.many;
  }
}

function startOf(target: QueryTarget): IncludeStart {
  switch (target.kind) {
    case 'collection':
    case 'resource':
      return { resource: target.resource };
    case 'related':
      return { resource: target.relationship.target };
    case 'relationship':
      return { resource: target.resource, only: target.relationship };
  }
}

interface Given extends Omit<View, 'include'> {
  /** Absent where the parameter was not sent. */
  readonly include: IncludeTree | undefined;
}

const NOTHING: IncludeTree = new Map();

function shapeData(target: QueryTarget, given: Given): Shape {
  const view = { ...given, include: given.include ?? NOTHING };
  switch (target.kind) {
    case 'collection':
    case 'resource':
      return shapeOf(target.resource, view);
    case 'related':
      return shapeOf(target.relationship.target, view);
    case 'relationship': {
      const resource = target.relationship.target;
      const include = view.include.get(target.relationship);
      return include ? shapeOf(resource, { ...view, include }) : { kind: 'key', resource };
    }
  }
}

function requireNone(problems: readonly Problem[]): void {
  if (problems.length > 0) throw ApiError.of(problems);
}

/** Strict: a list is given in one piece (QP-07); by default its pieces are put together. A page in two is refused by its reader anyway. */
function requireSingle(parameters: readonly FamilyParameter[]): void {
  const seen = new Set<string>();
  collect(parameters, ({ family, name }) => {
    const code = LISTS.get(family);
    if (code !== undefined && seen.has(name)) throw parameterError(code, name, `${cut(name)} is given twice.`);
    seen.add(name);
  });
}

const LISTS: ReadonlyMap<FamilyName, ErrorCode> = new Map([
  ['sort', 'invalid-sort'],
  ['include', 'invalid-include'],
  ['fields', 'invalid-fields'],
]);
