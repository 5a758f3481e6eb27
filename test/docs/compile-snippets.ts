import { relative, resolve } from 'node:path';
import ts from 'typescript';

const ROOT = resolve(import.meta.dirname, '../..');
const HOST = resolve(import.meta.dirname, 'host.ts');
const GENERATED = resolve(ROOT, 'sample/blog/src/generated');

/** Source code as a page shows it. */
export interface Snippet {
  /** `docs/guards.md:6`: where its first line stands. */
  readonly place: string;
  readonly text: string;
}

/**
 * Compiles each snippet as a module of its own, as strictly as this repository is compiled. What a snippet neither imports nor declares is
 * `host.ts`'s, and so are its own relative imports, but for those of `./generated/`, which are the blog's.
 *
 * @returns what the compiler says of each snippet, as `docs/guards.md:7: text`
 */
export function compileSnippets(snippets: readonly Snippet[]): ReadonlyMap<Snippet, readonly string[]> {
  const host = new SnippetHost(readOptions());
  const known = namesOf(HOST, host.createProgram([HOST]));
  const files = snippets.map((snippet, index) => ({ snippet, file: resolve(import.meta.dirname, `snippet-${index}.ts`) }));
  for (const { snippet, file } of files) host.snippets.set(file, moduleOf(snippet.text, known));
  const program = host.createProgram(files.map(({ file }) => file));
  return new Map(files.map(({ snippet, file }) => [snippet, problemsOf(program, file, snippet)]));
}

function readOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(resolve(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  return {
    ...options,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    incremental: false,
    // Pages do not mark each imported type as one.
    verbatimModuleSyntax: false,
    isolatedModules: false,
    paths: {
      'nestjs-resource-api': [resolve(ROOT, 'lib/index.ts')],
      'nestjs-resource-api/client': [resolve(ROOT, 'lib/client/index.ts')],
      'nestjs-resource-api/schema': [resolve(ROOT, 'lib/schema/index.ts')],
      'nestjs-resource-api/tanstack-query': [resolve(ROOT, 'lib/tanstack-query/index.ts')],
      'nestjs-resource-api/testing': [resolve(ROOT, 'lib/testing/index.ts')],
    },
  };
}

/** The disk, read once, and the snippets beside `host.ts`. */
class SnippetHost {
  readonly snippets = new Map<string, string>();
  readonly #files = new Map<string, ts.SourceFile | undefined>();
  readonly #host: ts.CompilerHost;
  readonly #cache = ts.createModuleResolutionCache(ROOT, (name) => name);

  constructor(private readonly options: ts.CompilerOptions) {
    const disk = ts.createCompilerHost(options, true);
    const readFile = disk.readFile.bind(disk);
    disk.readFile = (name) => this.snippets.get(name) ?? readFile(name);
    this.#host = {
      ...disk,
      fileExists: (name) => this.snippets.has(name) || disk.fileExists(name),
      getSourceFile: (name, version) => this.#fileOf(name, version, disk),
      resolveModuleNameLiterals: (literals, from, _redirected, _options, file) =>
        literals.map((literal) => this.#resolve(literal, from, file)),
    };
  }

  createProgram(files: readonly string[]): ts.Program {
    return ts.createProgram(files, this.options, this.#host);
  }

  #fileOf(name: string, version: ts.ScriptTarget | ts.CreateSourceFileOptions, disk: ts.CompilerHost): ts.SourceFile | undefined {
    if (!this.#files.has(name)) this.#files.set(name, disk.getSourceFile(name, version));
    return this.#files.get(name);
  }

  #resolve(literal: ts.StringLiteralLike, from: string, file: ts.SourceFile): ts.ResolvedModuleWithFailedLookupLocations {
    const mode = ts.getModeForUsageLocation(file, literal, this.options);
    const name = placeOf(literal.text, this.snippets.has(from));
    return ts.resolveModuleName(name, from, this.options, this.#host, this.#cache, undefined, mode);
  }
}

function placeOf(specifier: string, isInSnippet: boolean): string {
  if (!isInSnippet || !specifier.startsWith('.')) return specifier;
  return specifier.startsWith('./generated/') ? resolve(GENERATED, specifier.slice('./generated/'.length)) : './host.js';
}

function namesOf(file: string, program: ts.Program): ReadonlySet<string> {
  const source = program.getSourceFile(file);
  const checker = program.getTypeChecker();
  const module = source && checker.getSymbolAtLocation(source);
  return new Set(module && checker.getExportsOfModule(module).map(({ name }) => name));
}

/** Lines stay where they are. */
function moduleOf(text: string, known: ReadonlySet<string>): string {
  // The blog's posts have no `deletedAt`; another date does.
  const code = text.replaceAll(/(?<=\{ |, |^ *)…(?=,?\s)/gm, '...unsaid').replaceAll('deletedAt', 'publishedAt');
  const whole = wholeOf(code);
  const source = ts.createSourceFile('snippet.ts', whole, ts.ScriptTarget.ES2023, true);
  const own = new Set(source.statements.flatMap(declaredNames));
  const words = new Set(whole.match(/[A-Za-z_]\w*/g));
  const missing = [...words].filter((word) => known.has(word) && !own.has(word));
  return `${whole}\nimport { ${missing.join(', ')} } from './host.js';\n`;
}

/** Around options by themselves (`resources: { … }`) and methods. */
function wholeOf(code: string): string {
  if (/^ *\w+: /.test(code)) return `ResourceApiModule.forRoot({ ...unsaid, ${code}});`;
  return /^(?:canActivate|constructor)\(/.test(code) ? `class Example { ${code}}` : code;
}

function declaredNames(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name));
  if (ts.isImportDeclaration(statement)) return importedNames(statement.importClause?.namedBindings);
  const { name } = statement as ts.DeclarationStatement;
  return name && ts.isIdentifier(name) ? [name.text] : [];
}

function boundNames(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []));
}

function importedNames(bindings: ts.NamedImportBindings | undefined): readonly string[] {
  if (bindings === undefined) return [];
  return ts.isNamedImports(bindings) ? bindings.elements.map(({ name }) => name.text) : [bindings.name.text];
}

function problemsOf(program: ts.Program, file: string, { place }: Snippet): readonly string[] {
  const source = program.getSourceFile(file);
  const [page = '', first] = place.split(':');
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(({ start = 0, messageText }) => {
    const line = Number(first) + (source?.getLineAndCharacterOfPosition(start).line ?? 0);
    return `${relative('.', page)}:${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}
