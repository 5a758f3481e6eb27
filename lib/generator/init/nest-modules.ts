import type ts from 'typescript';
import type { TypeScript } from './source-files.js';

/** A class with Nest's `@Module()` decorator. */
export interface NestModule {
  readonly name: string;
  /** Argument of the decorator. */
  readonly argument: ts.Expression | undefined;
}

/** Finds the Nest modules of a source file, in order. */
export function findNestModules(file: ts.SourceFile, typescript: TypeScript): readonly NestModule[] {
  const names = importedNames(file, typescript);
  return file.statements.flatMap((statement) => {
    if (!typescript.isClassDeclaration(statement) || !statement.name) return [];
    const name = statement.name.text;
    const call = (typescript.getDecorators(statement) ?? []).map(({ expression }) => expression).find(isModuleDecorator);
    return call && typescript.isCallExpression(call) ? [{ name, argument: call.arguments[0] }] : [];
  });

  function isModuleDecorator(expression: ts.Expression): boolean {
    if (!typescript.isCallExpression(expression)) return false;
    const { expression: callee } = expression;
    if (typescript.isIdentifier(callee)) return names.has(callee.text);
    // import * as nest from '@nestjs/common'; @nest.Module({})
    return typescript.isPropertyAccessExpression(callee) && callee.name.text === 'Module' && names.has(callee.expression.getText());
  }
}

/** Returns the names of Nest's decorator in a file: `Module`, an alias of it, or a namespace. */
function importedNames(file: ts.SourceFile, typescript: TypeScript): ReadonlySet<string> {
  const bindings = file.statements.flatMap((statement) => {
    if (!typescript.isImportDeclaration(statement) || !typescript.isStringLiteral(statement.moduleSpecifier)) return [];
    return statement.moduleSpecifier.text === '@nestjs/common' ? (statement.importClause?.namedBindings ?? []) : [];
  });
  return new Set(
    bindings.flatMap((binding) => {
      if (typescript.isNamespaceImport(binding)) return [binding.name.text];
      const modules = binding.elements.filter(({ name, propertyName }) => (propertyName ?? name).text === 'Module');
      return modules.map(({ name }) => name.text);
    }),
  );
}

/** Returns a property of the object literal in `@Module()`; undefined otherwise. */
export function propertyOf(
  argument: ts.Expression | undefined,
  name: string,
  typescript: TypeScript,
): ts.ObjectLiteralElementLike | undefined {
  if (!argument || !typescript.isObjectLiteralExpression(argument)) return undefined;
  return argument.properties.find((property) => {
    const own = property.name;
    return own !== undefined && (typescript.isIdentifier(own) || typescript.isStringLiteral(own)) && own.text === name;
  });
}
