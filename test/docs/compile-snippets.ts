import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

/** What a snippet imports all from that it neither imports nor declares. */
const HOST = './host.js';
const ROOT = resolve(import.meta.dirname, '../..');
/** The app that the snippets of a page belong to: its declarations, and what Prisma generates for it. */
interface Setting {
  readonly host: string;
  readonly generated: string;
}

const BLOG: Setting = { host: resolve(import.meta.dirname, 'host.ts'), generated: resolve(ROOT, 'sample/blog/src/generated') };
const SETTINGS: Readonly<Record<string, Setting>> = {
  'docs/real-application.md': {
    host: resolve(import.meta.dirname, 'real-application/host.ts'),
    generated: resolve(ROOT, 'test/support/generated/real-application'),
  },
  'docs/soft-delete.md': {
    host: resolve(import.meta.dirname, 'soft-delete/host.ts'),
    generated: resolve(ROOT, 'test/support/generated/tasks'),
  },
};

/** Source code as a page shows it. */
export interface Snippet {
  /** `docs/guards.md:6`: the place of its first line. */
  readonly place: string;
  readonly text: string;
}

/**
 * Compiles each snippet as a separate module, with the compiler options of this repository. `host.ts` declares the names that a snippet neither imports nor
 * declares, and those of its relative imports. Its imports from `src/generated/`, resolved from the path in its first line, are the blog's.
 *
 * @returns the errors of each snippet, as `docs/guards.md:7: text`
 */
export function compileSnippets(snippets: readonly Snippet[]): ReadonlyMap<Snippet, readonly string[]> {
  const host = new SnippetHost(readOptions());
  const files = snippets.map((snippet, index) => ({ snippet, file: resolve(import.meta.dirname, `snippet-${index}.ts`) }));
  const settings = [BLOG, ...Object.values(SETTINGS)];
  const hosts = host.createProgram(settings.map((setting) => setting.host));
  const declared = new Map(settings.map((setting) => [setting, namesOf(setting.host, hosts)]));
  for (const { snippet, file } of files) {
    const setting = settingOf(snippet);
    host.snippets.set(file, { text: moduleOf(snippet.text, declared.get(setting)), setting });
  }
  const program = host.createProgram(files.map(({ file }) => file));
  return new Map(files.map(({ snippet, file }) => [snippet, problemsOf(program, file, snippet)]));
}

function settingOf({ place }: Snippet): Setting {
  return SETTINGS[place.split(':')[0] ?? ''] ?? BLOG;
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
      '@nestjs/jwt': [BLOG.host],
      '@nestjs/throttler': [BLOG.host],
      'helmet': [BLOG.host],
      'nestjs-resource-api': [resolve(ROOT, 'lib/index.ts')],
      'nestjs-resource-api/client': [resolve(ROOT, 'lib/client/index.ts')],
      'nestjs-resource-api/react-admin': [resolve(ROOT, 'lib/react-admin/index.ts')],
      'nestjs-resource-api/refine': [resolve(ROOT, 'lib/refine/index.ts')],
      'nestjs-resource-api/schema': [resolve(ROOT, 'lib/schema/index.ts')],
      'nestjs-resource-api/tanstack-query': [resolve(ROOT, 'lib/tanstack-query/index.ts')],
      'nestjs-resource-api/testing': [resolve(ROOT, 'lib/testing/index.ts')],
    },
  };
}

/** The disk, read once, and the snippets beside `host.ts`. */
class SnippetHost {
  readonly snippets = new Map<string, { readonly text: string; readonly setting: Setting }>();
  readonly #files = new Map<string, ts.SourceFile | undefined>();
  readonly #host: ts.CompilerHost;
  readonly #cache = ts.createModuleResolutionCache(ROOT, (name) => name);

  constructor(private readonly options: ts.CompilerOptions) {
    const disk = ts.createCompilerHost(options, true);
    const readFile = disk.readFile.bind(disk);
    disk.readFile = (name) => this.snippets.get(name)?.text ?? readFile(name);
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
    const snippet = this.snippets.get(from);
    const name = snippet && literal.text.startsWith('.') ? placeOf(literal.text, folderOf(snippet.text), snippet.setting) : literal.text;
    return ts.resolveModuleName(name, from, this.options, this.#host, this.#cache, undefined, mode);
  }
}

/** Returns the file for a relative import of a snippet: a generated file, or else the declarations of `host.ts`. */
function placeOf(specifier: string, folder: string, { host, generated }: Setting): string {
  if (specifier === HOST) return host.replace(/\.ts$/, '.js');
  const place = join(folder, specifier);
  return place.includes('generated/') ? resolve(generated, relative('src/generated', place)) : host.replace(/\.ts$/, '.js');
}

/** Returns the folder of the path in the first line of a snippet, e.g. `// src/resource-api/resource-api.module.ts`. */
function folderOf(text: string): string {
  return dirname(/^ *\/\/ (\S+\.ts)\n/.exec(text)?.[1] ?? 'src/main.ts');
}

function namesOf(file: string, program: ts.Program): ReadonlySet<string> {
  const source = program.getSourceFile(file);
  const checker = program.getTypeChecker();
  const module = source && checker.getSymbolAtLocation(source);
  return new Set(
    module &&
      checker
        .getExportsOfModule(module)
        .map(({ name }) => name)
        .filter((name) => name !== 'default'),
  );
}

/** Lines stay where they are. */
function moduleOf(text: string, declared: ReadonlySet<string> = new Set()): string {
  const code = text.replaceAll(/(?<=\{ |, |^ *)…(?=,?\s)/gm, '...unsaid');
  const whole = wholeOf(code);
  const source = ts.createSourceFile('snippet.ts', whole, ts.ScriptTarget.ES2023, true);
  const own = new Set(source.statements.flatMap(declaredNames));
  const words = new Set(whole.match(/[A-Za-z_]\w*/g));
  const missing = [...words].filter((word) => declared.has(word) && !own.has(word));
  return `${whole}\nimport { ${missing.join(', ')} } from '${HOST}';\n`;
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
