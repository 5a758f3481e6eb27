import { type ErrorCode } from '../../errors/error-catalogue.js';
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
import { type Fieldsets, type IncludeTree, type Shape, shapeOf } from './resource-shape.js';
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
  const { all, families } = parseParameters(search, isCollection ? COLLECTION_FAMILIES : SINGLE_FAMILIES, context.limits);
  if (context.settings.strict) requireSingle(families);
  const given = (name: FamilyName): readonly FamilyParameter[] => families.filter(({ family }) => family === name);
  const { include, fields, filter, sort, page } = collectAll({
    include: () => parseInclude(given('include'), startOf(target), context),
    fields: () => parseFields(given('fields'), context),
    filter: () => parseFilter(given('filter'), resource, context),
    sort: () => parseSort(given('sort'), resource, context),
    page: () => parsePage(given('page'), context),
  });
  const base = { target, resource, shape: shapeData(target, include, fields), compound: include !== undefined, parameters: all };
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

function shapeData(target: QueryTarget, include: IncludeTree | undefined, fields: Fieldsets): Shape {
  switch (target.kind) {
    case 'collection':
    case 'resource':
      return shapeOf(target.resource, include, fields);
    case 'related':
      return shapeOf(target.relationship.target, include, fields);
    case 'relationship': {
      const resource = target.relationship.target;
      const included = include?.get(target.relationship);
      return included ? shapeOf(resource, included, fields) : { kind: 'key', resource };
    }
  }
}

/** Strict: a parameter with one value is given once (QP-07). By default lists that are given in pieces are put together. */
function requireSingle(parameters: readonly FamilyParameter[]): void {
  const seen = new Set<string>();
  collect(parameters, ({ family, name }) => {
    if (family !== 'filter' && seen.has(name)) throw parameterError(CODES[family], name, `${name} is given twice.`);
    seen.add(name);
  });
}

const CODES: Readonly<Record<Exclude<FamilyName, 'filter'>, ErrorCode>> = {
  sort: 'invalid-sort',
  page: 'invalid-page',
  include: 'invalid-include',
  fields: 'invalid-fields',
};
