import type ts from 'typescript';
import { findNestModules, propertyOf } from './nest-modules.js';
import type { SourceFile } from './source-files.js';
import { parseSource, type TypeScript } from './typescript.js';

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

/** `new PrismaClient()`, also behind `.$extends(…)` and within `withSqlReads(…)`. */
function makesClient(expression: ts.Expression, typescript: TypeScript): boolean {
  if (typescript.isNewExpression(expression)) return isPrismaClient(expression.expression, typescript);
  if (typescript.isCallExpression(expression) && expression.expression.getText() === 'withSqlReads') {
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
