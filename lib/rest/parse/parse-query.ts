import { ApiError, type Problem } from '../../errors/api-error.js';
import { cut } from '../../errors/quote.js';
import type { Resource } from '../../model/surface/surface.js';
import { memoizeByObject } from '../../utils/memoize-by-object.js';
import { cacheByText, LONG_TEXT } from '../../utils/second-chance-cache.js';
import type { IncludeTree, Projection, View } from '../projection/projection.js';
import { collect, collectAll } from './collect.js';
import { parseFields } from './parse-fields.js';
import { parseFilter } from './parse-filter.js';
import { parseInclude } from './parse-include.js';
import { parsePage } from './parse-page.js';
import { type FamilyParameter, type OfFamily, parameterError, parseParameters } from './parse-parameters.js';
import { parseSort } from './parse-sort.js';
import type { CollectionTarget, RelationshipTarget } from './target.js';
import { parseWindows } from './parse-windows.js';
import { COLLECTION_FAMILIES, DOCUMENT_FAMILIES, type FamilyName, QUERY_FAMILIES } from './query-families.js';
import type { CollectionQuery, QueryTarget, ResourceQuery, SingleQuery, SingleTarget } from './resource-query.js';
import type { RestContext } from './rest-context.js';

/**
 * Parses the query string of a URL. All parameters are parsed, so that the error lists every fault. Results are cached by kind of URL and
 * text, because clients repeat queries with other ids.
 *
 * A to-many URL accepts every family. The URL of one resource, or of a to-one relationship, accepts `include`, `fields` and the `include…`
 * families. Writes pass `{ kind: 'resource', resource }`, or the relationship that they write.
 *
 * @param search - the query string without `?`
 * @throws ApiError with `source.parameter`. Its text has the position of the fault in the name or the value, counted from 1
 */
export function parseQuery(target: CollectionTarget, search: string, context: RestContext): CollectionQuery;
export function parseQuery<Target extends SingleTarget>(target: Target, search: string, context: RestContext): SingleQuery<Target>;
export function parseQuery(target: RelationshipTarget, search: string, context: RestContext): ResourceQuery<RelationshipTarget>;
export function parseQuery(target: QueryTarget, search: string, context: RestContext): ResourceQuery {
  if (search.length > LONG_TEXT) return readQuery(target, search, context);
  const cached = cachedQueries(context);
  const { type } = target.resource;
  // The key is unambiguous: it contains the length of the type before the type.
  const key = `${target.kind} ${'relationship' in target ? target.relationship.name : ''} ${type.length} ${type}?${search}`;
  let query = cached.get(key);
  if (!query) {
    query = readQuery(target, search, context);
    cached.set(key, query);
  }
  // The target of a collection has no id, so that all requests share the query and its plan.
  return target.kind === 'collection' ? query : { ...query, target };
}

/** Returns the cache of a context. A context lives as long as the application, unless a request has its own settings. */
const cachedQueries = memoizeByObject((_: RestContext) => cacheByText<ResourceQuery>());

function readQuery(target: QueryTarget, search: string, context: RestContext): ResourceQuery {
  const isCollection = 'relationship' in target ? target.relationship.many : target.kind === 'collection';
  const resource = 'relationship' in target ? target.relationship.target : target.resource;
  const { all, families, problems } = parseParameters(search, isCollection ? COLLECTION_FAMILIES : DOCUMENT_FAMILIES, context.limits);
  const given = (name: FamilyName): readonly FamilyParameter[] => families.filter(({ family }) => family === name);
  const isLinkage = target.kind === 'relationship';
  const start = isLinkage ? { resource: target.resource, only: target.relationship } : { resource };
  const { include, fields, filter, sort, page } = collectAll({
    names: () => {
      requireNone(problems);
    },
    repetitions: () => {
      if (context.settings.strict) requireSingle(families);
    },
    filter: () => parseFilter(given('filter'), resource, context),
    sort: () => parseSort(given('sort'), resource, context),
    page: () => parsePage(given('page'), resource, context),
    include: () => parseInclude(given('include'), start, context),
    fields: () => parseFields(given('fields'), context),
  });
  const perInclude = { page: given('includePage'), sort: given('includeSort'), filter: given('includeFilter') };
  const windows = parseWindows({ ...perInclude, include, isLinkage, all }, context);
  const base = {
    target,
    resource,
    projection: projectData(target, resource, { include: include ?? NOTHING, fields, windows }, context),
    compound: include !== undefined,
    hasCursors: (isCollection && page.kind === 'cursor') || [...windows.values()].some((window) => window.page.kind === 'cursor'),
    parameters: all,
  };
  if (!isCollection) return { kind: 'single', ...base };
  return { kind: 'collection', ...base, ...(filter && { filter }), sort, page };
}

const NOTHING: IncludeTree = new Map();

function projectData(target: QueryTarget, resource: Resource, view: View, { projections }: RestContext): Projection {
  if (target.kind !== 'relationship') return projections.of(resource, view);
  const include = view.include.get(target.relationship);
  return include ? projections.of(resource, { ...view, include }) : projections.keyOf(resource);
}

function requireNone(problems: readonly Problem[]): void {
  if (problems.length > 0) throw ApiError.of(problems);
}

/**
 * Requires that each list is sent in one parameter (QP-07). Called in strict mode only; by default, repeated parameters are merged. A
 * repeated `page` parameter is rejected by `parsePage` in every mode.
 */
function requireSingle(parameters: readonly OfFamily<FamilyName>[]): void {
  const seen = new Set<string>();
  collect(parameters, ({ family, name }) => {
    const listCode = QUERY_FAMILIES.get(family)?.listCode;
    if (listCode !== undefined && seen.has(name)) throw parameterError(listCode, name, `${cut(name)} is given twice.`);
    seen.add(name);
  });
}

/**
 * Parses the query string of a create or an update, which shapes the resource of its response (IN-05, SF-03). If callers may not read the
 * resource, the response has its identity only, so that a write does not disclose its values.
 *
 * @throws ApiError with `source.parameter`
 */
export function parseAnswerQuery(resource: Resource, search: string, context: RestContext): SingleQuery {
  const query = parseQuery({ kind: 'resource', resource }, search, context);
  if (resource.actions.has('read')) return query;
  return { ...query, compound: false, hasCursors: false, projection: context.projections.bareOf(resource) };
}

/**
 * Checks the query string of a request whose response is empty: it must have no JSON:API parameter (IN-01).
 *
 * @throws ApiError `unsupported-parameter`
 */
export function checkNoQuery(search: string, { limits }: RestContext): void {
  requireNone(parseParameters(search, [], limits).problems);
}

/**
 * Parses the query string of operations: only `fields[TYPE]`, which shapes their results (AO-35).
 *
 * @returns the query for the result of a resource. If callers may not read the resource, its result has the identity only
 * @throws ApiError with `source.parameter`
 */
export function parseResultQuery(search: string, context: RestContext): (resource: Resource) => SingleQuery {
  const { all: parameters, families, problems } = parseParameters(search, ['fields'], context.limits);
  requireNone(problems);
  if (context.settings.strict) requireSingle(families);
  const view = { include: new Map(), fields: parseFields(families, context) };
  return (resource) => ({
    kind: 'single',
    target: { kind: 'resource', resource },
    resource,
    projection: resource.actions.has('read') ? context.projections.of(resource, view) : context.projections.bareOf(resource),
    compound: false,
    hasCursors: false,
    parameters,
  });
}
