import type ts from 'typescript';
import { findNestModules, propertyOf } from './nest-modules.js';
import { parseSource, type SourceFile, type TypeScript } from './source-files.js';
import { findBlocks, type SchemaFile } from './prisma-blocks.js';

/** An export of a source file. */
export interface Exported {
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
}

/** The project's data client: a provider class, with the module that exports it, if any; or a constant. */
export type DataClientSource =
  | { readonly kind: 'provider'; readonly service: Exported; readonly module?: Exported }
  | { readonly kind: 'constant'; readonly constant: Exported };

/** Finds the candidates for the data client: classes that extend PrismaClient, otherwise constants with an instance. */
export function findDataClients(files: readonly SourceFile[], typescript: TypeScript): readonly DataClientSource[] {
  const candidates = files.filter(({ text }) => /\b(?:extends|new)\s+(?:\w+\.)?PrismaClient\b/.test(text));
  const parsed = candidates.map(({ path, text }) => ({ path, file: parseSource(text, typescript) }));
  const services = parsed.flatMap(({ path, file }) => clientClasses(file, typescript).map((name) => ({ name, path })));
  if (services.length > 0) {
    return services.map((service) => {
      const module = exportingModule(service.name, files, typescript);
      return { kind: 'provider', service, ...(module && { module }) };
    });
  }
  const constants = parsed.flatMap(({ path, file }) => clientConstants(file, typescript).map((name) => ({ name, path })));
  return constants.map((constant) => ({ kind: 'constant', constant }));
}

/** Returns the exported classes that extend PrismaClient. */
function clientClasses(file: ts.SourceFile, typescript: TypeScript): readonly string[] {
  return file.statements.flatMap((statement) => {
    if (!typescript.isClassDeclaration(statement) || !statement.name || !isExported(statement, typescript)) return [];
    const bases = statement.heritageClauses?.find(({ token }) => token === typescript.SyntaxKind.ExtendsKeyword)?.types ?? [];
    return bases.some(({ expression }) => isPrismaClient(expression, typescript)) ? [statement.name.text] : [];
  });
}

/** Returns the exported constants whose value is `new PrismaClient(…)`, also with extensions. */
function clientConstants(file: ts.SourceFile, typescript: TypeScript): readonly string[] {
  return file.statements.flatMap((statement) => {
    if (!typescript.isVariableStatement(statement) || !isExported(statement, typescript)) return [];
    const made = statement.declarationList.declarations.filter(({ initializer }) => initializer && makesClient(initializer, typescript));
    return made.flatMap(({ name }) => (typescript.isIdentifier(name) ? [name.text] : []));
  });
}

/** Whether an expression is `new PrismaClient()`, also with `.$extends(…)` or in `withSql(…)` or `withSqlReads(…)`. */
function makesClient(expression: ts.Expression, typescript: TypeScript): boolean {
  if (typescript.isNewExpression(expression)) return isPrismaClient(expression.expression, typescript);
  if (typescript.isCallExpression(expression) && /^withSql(?:Reads)?$/.test(expression.expression.getText())) {
    return expression.arguments.slice(0, 1).some((argument) => makesClient(argument, typescript));
  }
  const isChain = typescript.isCallExpression(expression) || typescript.isPropertyAccessExpression(expression);
  return isChain && makesClient(expression.expression, typescript);
}

function isPrismaClient(expression: ts.Expression, typescript: TypeScript): boolean {
  const name = typescript.isPropertyAccessExpression(expression) ? expression.name : expression;
  return typescript.isIdentifier(name) && name.text === 'PrismaClient';
}

function isExported(statement: ts.ClassDeclaration | ts.VariableStatement, { SyntaxKind }: TypeScript): boolean {
  const kinds = new Set(statement.modifiers?.map(({ kind }) => kind));
  return kinds.has(SyntaxKind.ExportKeyword) && !kinds.has(SyntaxKind.DefaultKeyword);
}

/** Returns the first module with the provider in its `exports`. */
function exportingModule(provider: string, files: readonly SourceFile[], typescript: TypeScript): Exported | undefined {
  const candidates = files.filter(({ text }) => text.includes(provider) && text.includes('exports'));
  for (const { path, text } of candidates) {
    const modules = findNestModules(parseSource(text, typescript), typescript);
    const module = modules.find(({ argument }) => {
      const exported = propertyOf(argument, 'exports', typescript)?.getText() ?? '';
      return new RegExp(`\\b${provider}\\b`).test(exported);
    });
    if (module) return { name: module.name, path };
  }
  return undefined;
}

/**
 * On which connections the written module runs SQL.
 *
 * - `none`: on none, but through the client.
 * - `exported`: in SQL, on the pool that the client's file exports.
 * - `member`: in SQL, on the pool that is a member of the service.
 * - `beside`: in SQL, on a new pool with the same connection string.
 */
export type SqlChoice =
  | { readonly kind: 'none' }
  | { readonly kind: 'exported' }
  | { readonly kind: 'member' }
  | { readonly kind: 'beside'; readonly connectionString: string };

const NONE: SqlChoice = { kind: 'none' };

/** Matches a `connectionString` that is also valid in another file. */
const CONNECTION_STRING = /\bconnectionString:\s*(process\.env(?:\.\w+|\[(['"])\w+\2\]))/;

/** Chooses where the module runs SQL, from the client's file. SQL would bypass client extensions, and it needs the pool of `@prisma/adapter-pg`. */
export function chooseSql(client: DataClientSource, schema: readonly SchemaFile[], files: readonly SourceFile[]): SqlChoice {
  const text = files.find(({ path }) => path === placeOf(client))?.text ?? '';
  if (!isPostgresql(schema) || !mayReadInSql(text)) return NONE;
  if (hasPool(client, text)) return { kind: client.kind === 'provider' ? 'member' : 'exported' };
  const [, connectionString] = CONNECTION_STRING.exec(text) ?? [];
  return connectionString === undefined ? NONE : { kind: 'beside', connectionString };
}

function mayReadInSql(text: string): boolean {
  return text.includes('@prisma/adapter-pg') && !usesSql(text) && !/\$extends\b/.test(text);
}

/** Whether a file already reads in SQL. */
export function usesSql(text: string): boolean {
  return /\bwithSql(?:Reads)?\b/.test(text);
}

/** Whether the client's pool is accessible: as a public member of the service, or exported. */
function hasPool({ kind }: DataClientSource, text: string): boolean {
  return kind === 'provider' ? /^\s*(?:public\s+)?(?:readonly\s+)?pool\b\s*[:=]/m.test(text) : /^export const pool\b/m.test(text);
}

/** Returns the file of the client. */
export function placeOf(client: DataClientSource): string {
  return client.kind === 'provider' ? client.service.path : client.constant.path;
}

/** Whether the provider is PostgreSQL. CockroachDB has another provider, which SQL reads do not support. */
export function isPostgresql(schema: readonly SchemaFile[]): boolean {
  return /^postgres(?:ql)?$/.test(datasourceSetting('provider', schema) ?? '');
}

/** Whether the database has foreign keys, which writes in SQL need. */
export function hasForeignKeys(schema: readonly SchemaFile[]): boolean {
  return datasourceSetting('relationMode', schema) !== 'prisma';
}

function datasourceSetting(name: string, schema: readonly SchemaFile[]): string | undefined {
  return findBlocks(schema)
    .find(({ kind }) => kind === 'datasource')
    ?.settings.get(name);
}
