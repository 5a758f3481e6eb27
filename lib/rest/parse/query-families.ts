import type { ErrorCode } from '../../errors/error-catalogue.js';

interface QueryFamily {
  readonly name: string;
  /** Which URLs take it: those whose data are a collection, or every one that answers with a document. */
  readonly on: 'collections' | 'documents';
  /** The argument of the data client that it becomes, where that can cost too much. */
  readonly argument?: string;
  /** Present where its value is a list, which strict mode takes in one piece only (QP-07): what a second piece is refused as. */
  readonly listCode?: ErrorCode;
}

/**
 * The families of query parameters that JSON:API has and this style knows, in the order in which they are offered: what is read of a request
 * (`parseQuery`), what a refusal calls it, and what the OpenAPI document lists.
 */
const FAMILIES = [
  { name: 'filter', on: 'collections', argument: 'where' },
  { name: 'sort', on: 'collections', argument: 'orderBy', listCode: 'invalid-sort' },
  { name: 'page', on: 'collections' },
  { name: 'include', on: 'documents', argument: 'select', listCode: 'invalid-include' },
  { name: 'fields', on: 'documents', listCode: 'invalid-fields' },
  { name: 'includePage', on: 'documents' },
  { name: 'includeSort', on: 'documents', listCode: 'invalid-sort' },
  { name: 'includeFilter', on: 'documents' },
] as const satisfies readonly QueryFamily[];

export type FamilyName = (typeof FAMILIES)[number]['name'];

/** By their names. */
export const QUERY_FAMILIES: ReadonlyMap<FamilyName, QueryFamily> = new Map(FAMILIES.map((family) => [family.name, family]));

/** What the URL of a collection takes, in order. */
export const COLLECTION_FAMILIES: readonly FamilyName[] = FAMILIES.map(({ name }) => name);

/** What any other URL takes that answers with a document. */
export const DOCUMENT_FAMILIES: readonly FamilyName[] = FAMILIES.flatMap(({ name, on }) => (on === 'documents' ? [name] : []));
