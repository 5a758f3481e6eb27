import type { ErrorCode } from '../../errors/error-catalogue.js';
import type { Resource } from '../../model/surface/surface.js';
import { parseFields } from './parse-fields.js';
import { parseFilter } from './parse-filter.js';
import { type IncludeStart, parseInclude } from './parse-include.js';
import { parsePage } from './parse-page.js';
import type { FamilyParameter, OfFamily } from './parse-parameters.js';
import { parseSort } from './parse-sort.js';
import type { RestContext } from './rest-context.js';

/**
 * The families of query parameters that JSON:API has and this style knows, in the order in which they are offered: what is read of a request, what
 * a refusal calls it, and what the OpenAPI document lists.
 */
export const QUERY_FAMILIES = {
  filter: {
    on: 'collections',
    argument: 'where',
    read: (given: Given, { resource, context }: QueryPlace) => parseFilter(given, resource, context),
  },
  sort: {
    on: 'collections',
    argument: 'orderBy',
    listCode: 'invalid-sort',
    read: (given: Given, { resource, context }: QueryPlace) => parseSort(given, resource, context),
  },
  page: {
    on: 'collections',
    read: (given: Given, { resource, context }: QueryPlace) => parsePage(given, resource, context),
  },
  include: {
    on: 'documents',
    argument: 'select',
    listCode: 'invalid-include',
    read: (given: Given, { start, context }: QueryPlace) => parseInclude(given, start, context),
  },
  fields: {
    on: 'documents',
    listCode: 'invalid-fields',
    read: (given: Given, { context }: QueryPlace) => parseFields(given, context),
  },
  includePage: { on: 'documents', read: asGiven },
  includeSort: { on: 'documents', listCode: 'invalid-sort', read: asGiven },
  includeFilter: { on: 'documents', read: asGiven },
} as const satisfies Readonly<Record<string, QueryFamily>>;

/** Windows of what is included are read when that is known. */
function asGiven(given: Given): Given {
  return given;
}

export type FamilyName = keyof typeof QUERY_FAMILIES;

export interface QueryFamily {
  /** Which URLs take it: those whose data are a collection, or every one that answers with a document. */
  readonly on: 'collections' | 'documents';
  /** The argument of the data client that it becomes, where that can cost too much. */
  readonly argument?: string;
  /** Present where its value is a list, which strict mode takes in one piece only (QP-07): what a second piece is refused as. */
  readonly listCode?: ErrorCode;
  readonly read: (given: Given, place: QueryPlace) => unknown;
}

type Given = readonly FamilyParameter[];

/** Where a query was asked. */
export interface QueryPlace {
  /** The resource of the primary data. */
  readonly resource: Resource;
  /** Where include paths start. */
  readonly start: IncludeStart;
  readonly context: RestContext;
}

const NAMES = Object.keys(QUERY_FAMILIES) as readonly FamilyName[];

/** What the URL of a collection takes, in order. */
export const COLLECTION_FAMILIES: readonly FamilyName[] = NAMES;

/** What any other URL takes that answers with a document. */
export const DOCUMENT_FAMILIES: readonly FamilyName[] = NAMES.filter((name) => QUERY_FAMILIES[name].on === 'documents');

/** What the families of a query mean. */
export type FamilyMeanings = { readonly [Name in FamilyName]: ReturnType<(typeof QUERY_FAMILIES)[Name]['read']> };

/** The readers of all families, for a query with these parameters. One without any has a meaning, too. */
export function familyReaders(
  parameters: readonly OfFamily<FamilyName>[],
  place: QueryPlace,
): { readonly [Name in FamilyName]: () => FamilyMeanings[Name] } {
  const readerOf = (name: FamilyName) => () =>
    QUERY_FAMILIES[name].read(
      parameters.filter(({ family }) => family === name),
      place,
    );
  // Each name has the reader of its own family, which fromEntries cannot express.
  return Object.fromEntries(NAMES.map((name) => [name, readerOf(name)])) as never;
}
