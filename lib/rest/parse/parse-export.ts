import type { CursorPage } from '../projection/page.js';
import type { ExportFormat } from '../../options/rest-settings.js';
import { collect } from './collect.js';
import { parseFields } from './parse-fields.js';
import { type OfFamily, parameterError, parseParameters } from './parse-parameters.js';
import { parseQuery } from './parse-query.js';
import type { CollectionTarget, RelationshipTarget } from './target.js';
import { COLLECTION_FAMILIES, type FamilyName } from './query-families.js';
import type { CollectionQuery } from './resource-query.js';
import type { RestContext } from './rest-context.js';

/** URLs that have exports: collections and to-many relationships. */
export type ExportTarget = CollectionTarget | RelationshipTarget;

/** The query of an export. */
export interface ExportedQuery extends CollectionQuery<ExportTarget> {
  readonly page: CursorPage;
}

/** A parsed export request. */
interface ParsedExport {
  readonly query: ExportedQuery;
  /** Members that `fields` names, in its order; undefined if it does not name the type. */
  readonly fieldset: ReadonlySet<string> | undefined;
}

/**
 * Parses the query string of an export: `filter`, `sort` and `fields`, and for NDJSON, which has cursors, `page[after]` (SE-02, SE-03).
 *
 * @throws ApiError with `source.parameter`
 */
export function parseExport(target: ExportTarget, search: string, format: ExportFormat, context: RestContext): ParsedExport {
  const { families } = parseParameters(search, COLLECTION_FAMILIES, context.limits);
  collect(families, (parameter) => {
    requireExported(parameter, format);
  });
  const query = queryOf(target, search, context);
  const { page, resource } = query;
  const fields = parseFields(
    families.filter(({ family }) => family === 'fields'),
    context,
  );
  const after = page.kind === 'cursor' && page.after ? { after: page.after } : {};
  return { query: { ...query, page: { kind: 'cursor', size: 1, isSized: true, ...after } }, fieldset: fields.get(resource) };
}

const EXPORTED: ReadonlySet<FamilyName> = new Set(['filter', 'sort', 'fields'] as const);

/** Rejects the other parameters, because they would limit the rows or add included resources. */
function requireExported({ family, name, selectors }: OfFamily<FamilyName>, format: ExportFormat): void {
  if (EXPORTED.has(family) || (format === 'ndjson' && family === 'page' && selectors.join() === 'after')) return;
  const known = format === 'ndjson' ? 'filter, sort, fields and page[after]' : 'filter, sort and fields';
  throw parameterError('unsupported-parameter', name, `An export takes ${known} alone.`);
}

function queryOf(target: ExportTarget, search: string, context: RestContext): CollectionQuery<ExportTarget> {
  if (target.kind === 'collection') return { ...parseQuery(target, search, context), target };
  const query = parseQuery(target, search, context);
  if (query.kind === 'collection') return query;
  throw new TypeError('An export of one resource was read.');
}
