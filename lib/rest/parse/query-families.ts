import type { ErrorCode } from '../../errors/error-catalogue.js';

interface QueryFamily {
  readonly name: string;
  /** The URLs that accept it: those with a collection as primary data, or all whose response is a document. */
  readonly on: 'collections' | 'documents';
  /** The Prisma argument that it becomes, if that argument can exceed a limit. The error then names a parameter of this family. */
  readonly argument?: string;
  /** Present if the value is a list. In strict mode, a second parameter of the list is rejected with this code (QP-07). */
  readonly listCode?: ErrorCode;
}

/**
 * The families of query parameters that REST supports, in the order of suggestions and of the OpenAPI document. `parseQuery`, error texts
 * and OpenAPI read this table.
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

/** The families by name. */
export const QUERY_FAMILIES: ReadonlyMap<FamilyName, QueryFamily> = new Map(FAMILIES.map((family) => [family.name, family]));

/** The families that the URL of a collection accepts, in order. */
export const COLLECTION_FAMILIES: readonly FamilyName[] = FAMILIES.map(({ name }) => name);

/** The families that all other URLs with a document as response accept. */
export const DOCUMENT_FAMILIES: readonly FamilyName[] = FAMILIES.flatMap(({ name, on }) => (on === 'documents' ? [name] : []));
