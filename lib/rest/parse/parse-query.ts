import { ApiError, type Problem } from '../../errors/api-error.js';
import { cut } from '../../errors/quote.js';
import type { Resource } from '../../model/surface/surface.js';
import { LruMap } from '../../utils/lru-map.js';
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
 * Reads the query string of a URL: text becomes meaning, once. Every parameter is read, so that the error names all that is wrong. What a text means
 * at URLs of one kind is kept: clients ask the same again and again, with other ids.
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
  if (search.length > LONG) return readQuery(target, search, context);
  const known = knownTo(context);
  const { type } = target.resource;
  // No two kinds of URL have the same beginning.
  const key = `${target.kind} ${'relationship' in target ? target.relationship.name : ''} ${type.length} ${type}?${search}`;
  let query = known.get(key);
  if (!query) {
    query = readQuery(target, search, context);
    known.set(key, query);
  }
  return { ...query, target };
}

/** Of more characters, no two texts are likely to be the same. */
const LONG = 2_000;

/** The queries that were read in a context, which lasts as long as the application unless a request has settings of its own. */
function knownTo(context: RestContext): LruMap<string, ResourceQuery> {
  let known = KNOWN.get(context);
  if (!known) {
    known = new LruMap(MOST_KEPT, (key) => VIEW + key.length);
    KNOWN.set(context, known);
  }
  return known;
}

const KNOWN = new WeakMap<RestContext, LruMap<string, ResourceQuery>>();

/** Some 250 short texts, and fewer long ones: what a text means takes much more memory than itself. */
const MOST_KEPT = 250_000;

/** What a text weighs by the view that it asks for, beside its characters. */
const VIEW = 1_000;

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
  const asked = { page: given('includePage'), sort: given('includeSort'), filter: given('includeFilter') };
  const windows = parseWindows({ ...asked, include, isLinkage, all }, context);
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

/** Strict: a list is given in one piece (QP-07); by default its pieces are put together. A page in two is refused by its reader anyway. */
function requireSingle(parameters: readonly OfFamily<FamilyName>[]): void {
  const seen = new Set<string>();
  collect(parameters, ({ family, name }) => {
    const listCode = QUERY_FAMILIES.get(family)?.listCode;
    if (listCode !== undefined && seen.has(name)) throw parameterError(listCode, name, `${cut(name)} is given twice.`);
    seen.add(name);
  });
}

/**
 * Reads the query string of a create or an update, which says how its answer shows the resource (IN-05, SF-03). Of a resource that is closed to
 * readers it shows the identity alone: a write must not be a way to read.
 *
 * @throws ApiError with `source.parameter`
 */
export function parseAnswerQuery(resource: Resource, search: string, context: RestContext): SingleQuery {
  const query = parseQuery({ kind: 'resource', resource }, search, context);
  if (resource.actions.has('read')) return query;
  return { ...query, compound: false, hasCursors: false, projection: context.projections.bareOf(resource) };
}

/**
 * Checks the query string of a request whose answer is empty: no parameter means anything there (IN-01).
 *
 * @throws ApiError `unsupported-parameter`
 */
export function checkNoQuery(search: string, { limits }: RestContext): void {
  requireNone(parseParameters(search, [], limits).problems);
}

/**
 * Reads the query string of operations: `fields[TYPE]` alone, which shapes their results (AO-35).
 *
 * @returns how a result shows a resource: of one that is closed to readers its identity alone
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
