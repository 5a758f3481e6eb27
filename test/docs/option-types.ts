import { resolve } from 'node:path';
import ts from 'typescript';

const ROOT = resolve(import.meta.dirname, '../..');

/** One property of an options type. */
export interface OptionProperty {
  readonly name: string;
  readonly required: boolean;
  /** As its declaration writes it, on one line; undefined where another package declares it. */
  readonly type?: string;
}

/** The properties of the exported interfaces of a file, inherited ones among them, by the interface's name. */
type OptionTypes = (interfaceName: string) => readonly OptionProperty[];

/** The options of files of `lib`, read together: to read what they import takes longest. */
export function readOptionTypes<Name extends string>(files: Readonly<Record<Name, string>>): Readonly<Record<Name, OptionTypes>> {
  const { config } = ts.readConfigFile(resolve(ROOT, 'tsconfig.json'), (name) => ts.sys.readFile(name)) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  const paths = Object.values<string>(files).map((file) => resolve(ROOT, file));
  const program = ts.createProgram(paths, { ...options, incremental: false, noEmit: true });
  const read = Object.entries<string>(files).map(([name, file]) => [name, optionTypesIn(program, file)] as const);
  return Object.fromEntries(read) as Record<Name, OptionTypes>;
}

function optionTypesIn(program: ts.Program, file: string): OptionTypes {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(resolve(ROOT, file));
  const module = source && checker.getSymbolAtLocation(source);
  const interfaces = new Map((module ? checker.getExportsOfModule(module) : []).map((symbol) => [symbol.name, symbol]));
  return (interfaceName) => {
    const symbol = interfaces.get(interfaceName);
    if (!symbol) throw new Error(`${file} has no ${interfaceName}.`);
    return checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)).map(propertyOf);
  };
}

function propertyOf(property: ts.Symbol): OptionProperty {
  const [declaration] = property.declarations ?? [];
  const required = (property.flags & ts.SymbolFlags.Optional) === 0;
  if (!declaration || !ts.isPropertySignature(declaration) || !declaration.getSourceFile().fileName.startsWith(resolve(ROOT, 'lib'))) {
    return { name: property.name, required };
  }
  return { name: property.name, required, type: oneLine(declaration.type?.getText() ?? '') };
}

/** Without the type parameter, which only follows the schema that is given. */
function oneLine(type: string): string {
  return type
    .replaceAll(/\s+/g, ' ')
    .replace(/^Schema$/, 'ResourceSchema')
    .replace('<NoInfer<Schema>>', '');
}
