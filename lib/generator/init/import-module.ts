import { dirname } from 'node:path';
import type ts from 'typescript';
import { findNestModules, type NestModule, propertyOf } from './nest-modules.js';
import { applyEdits, lineEndingOf, parseSource, type SourceFile, type TextEdit, type TypeScript } from './source-files.js';
import { pathFrom, type Project } from './project.js';

/** The module to import, and the module that imports it. */
interface ModuleImport {
  /** Name of the class to add to `imports`. */
  readonly name: string;
  /** Specifier of the import statement, e.g. `./resource-api/resource-api.module.js`. */
  readonly specifier: string;
  /** Name of the importing class, if the file declares several modules. */
  readonly into: string;
}

/** The result: the new text, nothing to change, or the reason why the user must edit the file. */
type ImportOutcome =
  | { readonly kind: 'edited'; readonly text: string }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'unclear'; readonly reason: string };

/**
 * Imports a module in a Nest module: adds the import statement and the element of `imports`. The rest of the text does not change.
 *
 * Refuses metadata that static analysis cannot read: anything but an object literal, and a spread that may contain `imports`.
 */
export function addModuleImport(source: string, wanted: ModuleImport, typescript: TypeScript): ImportOutcome {
  const file = parseSource(source, typescript);
  const modules = findNestModules(file, typescript);
  const module = modules.length === 1 ? modules[0] : modules.find(({ name }) => name === wanted.into);
  if (!module) return { kind: 'unclear', reason: missing(modules, wanted.into) };
  const edits = metadataEdits(module, wanted.name, { file, typescript });
  if (typeof edits === 'string') return { kind: 'unclear', reason: edits };
  if (edits.length === 0) return { kind: 'unchanged' };
  return { kind: 'edited', text: applyEdits(source, [...importEdit(file, wanted.name, wanted.specifier, typescript), ...edits]) };
}

function missing(modules: readonly NestModule[], into: string): string {
  if (modules.length === 0) return 'it declares no class with @Module()';
  return `it declares several modules (${modules.map(({ name }) => name).join(', ')}), none of them called ${into}`;
}

interface Source {
  readonly file: ts.SourceFile;
  readonly typescript: TypeScript;
}

/** Returns the edits of the argument of `@Module()`: none if the module is already imported, or the reason why it cannot be read. */
function metadataEdits({ name: module, argument }: NestModule, name: string, source: Source): readonly TextEdit[] | string {
  const { typescript } = source;
  if (!argument || !typescript.isObjectLiteralExpression(argument)) return `the argument of @Module() of ${module} is no object literal`;
  const imports = propertyOf(argument, 'imports', typescript);
  const index = imports ? argument.properties.indexOf(imports) : -1;
  if (argument.properties.slice(index + 1).some((property) => typescript.isSpreadAssignment(property))) {
    return `the metadata of ${module} is spread from elsewhere (...), which may hold its imports`;
  }
  if (!imports) return [addProperty(argument, `imports: [${name}]`, source.file)];
  if (typescript.isShorthandPropertyAssignment(imports)) return [{ at: imports.end, text: `: [...imports, ${name}]` }];
  if (!typescript.isPropertyAssignment(imports)) return `the imports of ${module} are computed`;
  return elementEdits(imports.initializer, name, source);
}

/** Returns the edit that adds a property at the start of an object literal, on a line of its own if the first property is on one. */
export function addProperty(object: ts.ObjectLiteralExpression, property: string, file: ts.SourceFile): TextEdit {
  const [first] = object.properties;
  const at = object.getStart(file) + 1;
  if (!first) return { at, text: ` ${property} ` };
  const isMultiLine = file.text.slice(at, first.getStart(file)).includes('\n');
  return { at, text: `${isMultiLine ? newLine(first, file) : ' '}${property},` };
}

/** Returns a line break and the indentation of the line on which a node starts. */
function newLine(node: ts.Node, file: ts.SourceFile): string {
  const start = node.getStart(file);
  const line = file.text.slice(file.text.lastIndexOf('\n', start - 1) + 1, start);
  return lineEndingOf(file.text) + (/^\s*/.exec(line)?.[0] ?? '');
}

function elementEdits(value: ts.Expression, name: string, source: Source): readonly TextEdit[] {
  const { file, typescript } = source;
  const list = unwrap(value, typescript);
  if (typescript.isArrayLiteralExpression(list)) return isImported(list, name, typescript) ? [] : addElement(list, name, source.file);
  if (new RegExp(`\\b${name}\\b`).test(value.getText(file))) return [];
  // Any other expression (a variable, a call, a conditional) is spread.
  return [
    { at: value.getStart(file), text: '[...(' },
    { at: value.end, text: `), ${name}]` },
  ];
}

/** Removes parentheses, `as` and `satisfies`. */
function unwrap(value: ts.Expression, typescript: TypeScript): ts.Expression {
  const isWrapped =
    typescript.isAsExpression(value) || typescript.isSatisfiesExpression(value) || typescript.isParenthesizedExpression(value);
  return isWrapped ? unwrap(value.expression, typescript) : value;
}

function isImported({ elements }: ts.ArrayLiteralExpression, name: string, typescript: TypeScript): boolean {
  return elements.some((element) => typescript.isIdentifier(element) && element.text === name);
}

/** Returns the edits that add an element to a list, on a line of its own if the last element is on one. */
export function addElement(list: ts.ArrayLiteralExpression, element: string, file: ts.SourceFile): readonly TextEdit[] {
  const close = list.end - 1;
  const last = list.elements.at(-1);
  // Of JSON, only some readers accept a trailing comma.
  const trailing = list.elements.hasTrailingComma || !file.fileName.endsWith('.json') ? ',' : '';
  if (!last) return [emptyListEdit(list, element, file)];
  const rest = file.text.slice(last.end, close);
  if (!rest.includes('\n')) return [{ at: last.end, text: `, ${element}` }];
  const comma: readonly TextEdit[] = list.elements.hasTrailingComma ? [] : [{ at: last.end, text: ',' }];
  // Insert after a comment on the last element's line.
  const lineEnd = last.end + rest.search(/\r?\n/);
  return [...comma, { at: lineEnd, text: `${newLine(last, file)}${element}${trailing}` }];
}

function emptyListEdit(list: ts.ArrayLiteralExpression, element: string, file: ts.SourceFile): TextEdit {
  const start = list.getStart(file) + 1;
  const inner = file.text.slice(start, list.end - 1);
  if (inner.trim() === '') return { at: start, text: element };
  // The list contains only a comment, which may extend to the end of its line.
  return { at: start + inner.trimEnd().length, text: `${newLine(list, file)}  ${element},` };
}

/** Returns an import statement after the last one of the file, in its style. Returns none if the file already imports that name. */
function importEdit(file: ts.SourceFile, name: string, specifier: string, typescript: TypeScript): readonly TextEdit[] {
  const imports = file.statements.filter((statement) => typescript.isImportDeclaration(statement));
  if (imports.some(({ importClause }) => importsName(importClause, name, typescript))) return [];
  const last = imports.at(-1);
  const quote = last?.moduleSpecifier.getText(file).startsWith('"') ? '"' : "'";
  const end = last && !last.getText(file).endsWith(';') ? '' : ';';
  const statement = `import { ${name} } from ${quote}${specifier}${quote}${end}`;
  const newLine = lineEndingOf(file.text);
  if (!last) return [{ at: file.getStart(), text: `${statement}${newLine}` }];
  const lineEnd = /^[^\r\n]*/.exec(file.text.slice(last.end))?.[0].length ?? 0;
  return [{ at: last.end + lineEnd, text: `${newLine}${statement}` }];
}

function importsName(clause: ts.ImportClause | undefined, name: string, typescript: TypeScript): boolean {
  const bindings = clause?.namedBindings;
  return bindings !== undefined && typescript.isNamedImports(bindings) && bindings.elements.some((element) => element.name.text === name);
}

/** The ending of relative imports in a project: `.js`, `.ts` or none. */
export type ImportExtension = '' | '.js' | '.ts';

/** Derives the ending from the relative imports of a file. Without any, it follows the module type of package.json. */
export function importExtensionOf({ text }: SourceFile, { packageJson }: Project): ImportExtension {
  const [, specifier] = /\bfrom\s+['"](\.{1,2}\/[^'"]+)['"]/.exec(text) ?? [];
  if (specifier === undefined) return packageJson.type === 'module' ? '.js' : '';
  if (specifier.endsWith('.js')) return '.js';
  return specifier.endsWith('.ts') ? '.ts' : '';
}

/** Returns the import specifier of one file in another, escaped for quotes of any kind. */
export function importSpecifier(from: string, to: string, extension: ImportExtension): string {
  const path = pathFrom(dirname(from), to).replace(/\.ts$/, extension);
  return (path.startsWith('.') ? path : `./${path}`).replaceAll(/[\\'"`]/g, '\\$&');
}
