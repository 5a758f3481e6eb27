import type ts from 'typescript';
import { findNestModules, propertyOf } from './nest-modules.js';
import { parseSource, type SourceFile, type TypeScript } from './source-files.js';
import { findBlocks, type SchemaFile } from './prisma-blocks.js';

/** Something that a source file exports. */
export interface Exported {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

/**
 * Where the project has its data client: a provider class, with the module that exports it, if one does; or a constant.
 */
export type DataClientSource =
  | { readonly kind: 'provider'; readonly service: Exported; readonly module?: Exported }
  | { readonly kind: 'constant'; readonly constant: Exported };

/** Finds everything in the sources that could be the data client: classes that extend PrismaClient, else constants that hold one. */
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

/** The exported classes that extend PrismaClient. */
function clientClasses(file: ts.SourceFile, typescript: TypeScript): readonly string[] {
  return file.statements.flatMap((statement) => {
    if (!typescript.isClassDeclaration(statement) || !statement.name || !isExported(statement, typescript)) return [];
    const bases = statement.heritageClauses?.find(({ token }) => token === typescript.SyntaxKind.ExtendsKeyword)?.types ?? [];
    return bases.some(({ expression }) => isPrismaClient(expression, typescript)) ? [statement.name.text] : [];
  });
}

/** The exported constants that are made by `new PrismaClient(…)`, extended or not. */
function clientConstants(file: ts.SourceFile, typescript: TypeScript): readonly string[] {
  return file.statements.flatMap((statement) => {
    if (!typescript.isVariableStatement(statement) || !isExported(statement, typescript)) return [];
    const made = statement.declarationList.declarations.filter(({ initializer }) => initializer && makesClient(initializer, typescript));
    return made.flatMap(({ name }) => (typescript.isIdentifier(name) ? [name.text] : []));
  });
}

/** `new PrismaClient()`, also behind `.$extends(…)` and within `withSql(…)` or `withSqlReads(…)`. */
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

/** The first module that has a provider in its `exports`. */
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
  if (!isPostgresql(schema) || !mayReadInSql(text)) return NONE;
  if (hasPool(client, text)) return { kind: client.kind === 'provider' ? 'member' : 'exported' };
  const [, connectionString] = CONNECTION_STRING.exec(text) ?? [];
  return connectionString === undefined ? NONE : { kind: 'beside', connectionString };
}

function mayReadInSql(text: string): boolean {
  return text.includes('@prisma/adapter-pg') && !usesSql(text) && !/\$extends\b/.test(text);
}

/** Whether a file reads in SQL already. */
export function usesSql(text: string): boolean {
  return /\bwithSql(?:Reads)?\b/.test(text);
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
