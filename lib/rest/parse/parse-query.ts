import { ApiError, type Problem } from '../../errors/api-error.js';
import { cut } from '../../errors/quote.js';
import type { IncludeTree, Projection, View } from '../projection/projection.js';
import { collect, collectAll } from './collect.js';
import { parameterError } from './parameter-error.js';
import { parseWindows, type Windows } from './parse-windows.js';
import type { IncludeStart } from './parse-include.js';
import { type OfFamily, parseParameters } from './parse-parameters.js';
import type { CollectionTarget, RelationshipTarget } from './parse-target.js';
import {
  COLLECTION_FAMILIES,
  DOCUMENT_FAMILIES,
  type FamilyName,
  familyReaders,
  QUERY_FAMILIES,
  type QueryFamily,
} from './query-families.js';
import type { CollectionQuery, QueryTarget, ResourceQuery, SingleQuery, SingleTarget } from './resource-query.js';
import type { RestContext } from './rest-context.js';

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
  const { all, families, problems } = parseParameters(search, isCollection ? COLLECTION_FAMILIES : DOCUMENT_FAMILIES, context.limits);
  const start = startOf(target);
  const { include, fields, filter, sort, page, includePage, includeSort, includeFilter } = collectAll({
    names: () => {
      requireNone(problems);
    },
    repetitions: () => {
      if (context.settings.strict) requireSingle(families);
    },
    ...familyReaders(families, { resource, start, context }),
  });
  const windows = parseWindows(
    { page: includePage, sort: includeSort, filter: includeFilter, include, isLinkage: start.only !== undefined, all },
    context,
  );
  const base = {
    target,
    resource,
    projection: projectData(target, { include: include ?? NOTHING, fields, windows }, context),
    compound: include !== undefined,
    hasCursors: (isCollection && page.kind === 'cursor') || hasCursors(windows),
    parameters: all,
  };
  if (!isCollection) return { kind: 'single', ...base };
  return { kind: 'collection', ...base, ...(filter && { filter }), sort, page };
}

function hasCursors(windows: Windows): boolean {
  return windows.size > 0 && [...windows.values()].some(({ page }) => page.kind === 'cursor');
}

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

const NOTHING: IncludeTree = new Map();

function projectData(target: QueryTarget, view: View, { projections }: RestContext): Projection {
  switch (target.kind) {
    case 'collection':
    case 'resource':
      return projections.of(target.resource, view);
    case 'related':
      return projections.of(target.relationship.target, view);
    case 'relationship': {
      const resource = target.relationship.target;
      const include = view.include.get(target.relationship);
      return include ? projections.of(resource, { ...view, include }) : projections.keyOf(resource);
    }
  }
}

/** @throws ApiError where there are problems */
export function requireNone(problems: readonly Problem[]): void {
  if (problems.length > 0) throw ApiError.of(problems);
}

/** Strict: a list is given in one piece (QP-07); by default its pieces are put together. A page in two is refused by its reader anyway. */
export function requireSingle(parameters: readonly OfFamily<FamilyName>[]): void {
  const seen = new Set<string>();
  collect(parameters, ({ family, name }) => {
    const { listCode }: QueryFamily = QUERY_FAMILIES[family];
    if (listCode !== undefined && seen.has(name)) throw parameterError(listCode, name, `${cut(name)} is given twice.`);
    seen.add(name);
  });
}
