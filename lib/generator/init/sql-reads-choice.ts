import type { DataClientSource } from './data-client-source.js';
import { findBlocks, type SchemaFile } from './prisma-blocks.js';
import type { SourceFile } from './source-files.js';

/**
 * How the written module reads: through the client as it is; in SQL on the client's own pool, which the file of the client exports or the
 * service has as a member; or in SQL on a pool that is made beside it, of the same connection string.
 */
export type SqlReadsChoice =
  | { readonly kind: 'none' }
  | { readonly kind: 'exported' }
  | { readonly kind: 'member' }
  | { readonly kind: 'beside'; readonly connectionString: string };

const NONE: SqlReadsChoice = { kind: 'none' };

/** What `connectionString` is, where that can be written in another file, too. */
const CONNECTION_STRING = /\bconnectionString:\s*(process\.env(?:\.\w+|\[(['"])\w+\2\]))/;

/** Chosen from the file of the client. Where it is extended, or is not of `@prisma/adapter-pg`, its author knows what SQL would pass by. */
export function chooseSqlReads(client: DataClientSource, schema: readonly SchemaFile[], files: readonly SourceFile[]): SqlReadsChoice {
  const text = files.find(({ path }) => path === placeOf(client))?.text ?? '';
  if (!isPostgresql(schema) || !text.includes('@prisma/adapter-pg') || /\bwithSqlReads\b|\$extends\b/.test(text)) return NONE;
  if (hasPool(client, text)) return { kind: client.kind === 'provider' ? 'member' : 'exported' };
  const [, connectionString] = CONNECTION_STRING.exec(text) ?? [];
  return connectionString === undefined ? NONE : { kind: 'beside', connectionString };
}

/** Whether others may use it. */
function hasPool({ kind }: DataClientSource, text: string): boolean {
  return kind === 'provider' ? /^\s*(?:public\s+)?(?:readonly\s+)?pool\b\s*[:=]/m.test(text) : /^export const pool\b/m.test(text);
}

/** The file that has the client. */
export function placeOf(client: DataClientSource): string {
  return client.kind === 'provider' ? client.service.path : client.constant.path;
}

/** CockroachDB has a provider of its own, and no SQL reads. */
export function isPostgresql(schema: readonly SchemaFile[]): boolean {
  const datasource = findBlocks(schema).find(({ kind }) => kind === 'datasource');
  return /^postgres(?:ql)?$/.test(datasource?.settings.get('provider') ?? '');
}
