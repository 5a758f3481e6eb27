import type ts from 'typescript';
import { lineEndingOf, type TextEdit } from './text-edit.js';
import type { TypeScript } from './typescript.js';

/** What an import statement names. */
export interface NamedImport {
  readonly name: string;
  readonly specifier: string;
}

/** The import statement behind the last one of a file, in its style: none where the file imports that name already. */
export function importEdit(file: ts.SourceFile, { name, specifier }: NamedImport, typescript: TypeScript): readonly TextEdit[] {
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
