import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The result of type-checking some sources. */
export interface TypeCheck {
  readonly errors: readonly string[];
  /** The number of instantiated generic types, which grows with the cost of a check. */
  readonly instantiations: number;
  /** The emitted files, by the name of their source with the extension `.js` or `.d.ts`. */
  readonly emitted: ReadonlyMap<string, string>;
}

/**
 * Compiles sources in memory as a strict project with declarations on, as a new Nest project has them; `nestjs-resource-api` is this
 * package's schema types.
 */
export function typeCheck(sources: Readonly<Record<string, string>>): TypeCheck {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.Preserve,
    strict: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    declaration: true,
    lib: ['lib.es5.d.ts'],
    types: [],
    skipLibCheck: true,
    paths: { 'nestjs-resource-api/schema': [fileURLToPath(new URL('../../../lib/model/schema/resource-schema.ts', import.meta.url))] },
  };
  const files = new Map(Object.entries(sources).map(([name, text]) => [`/virtual/${name}`, text]));
  const host = ts.createCompilerHost(options);
  const emitted = new Map<string, string>();
  const program = ts.createProgram([...files.keys()], options, {
    ...host,
    directoryExists: (folder) => folder === '/virtual' || ts.sys.directoryExists(folder),
    fileExists: (file) => files.has(file) || host.fileExists(file),
    readFile: (file) => files.get(file) ?? host.readFile(file),
    getSourceFile: (file, language) => {
      const text = files.get(file);
      return text === undefined ? host.getSourceFile(file, language) : ts.createSourceFile(file, text, language);
    },
    writeFile: (file, text) => emitted.set(file.replace('/virtual/', ''), text),
  });
  const { diagnostics } = program.emit();
  const errors = [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, '\n'),
  );
  return { errors, instantiations: program.getInstantiationCount(), emitted };
}
