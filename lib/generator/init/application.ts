import { dirname, join, resolve } from 'node:path';
import type ts from 'typescript';
import { InitProblem } from './installed-package.js';
import { pathFrom, type Project } from './project.js';
import { parseSource, type SourceFile, type TypeScript } from './source-files.js';

/** The properties of the application that `init` reads from main.ts. */
export interface Application {
  /** The file that declares the application's module. */
  readonly module: SourceFile;
  /** Name of the bootstrapped class. */
  readonly moduleName: string;
  /** Nest's global prefix, without slashes. */
  readonly globalPrefix: string;
  readonly port: number;
  /** The environment variable of the port, as written in main.ts, e.g. `process.env.PORT`. */
  readonly portVariable?: string;
  /** How main.ts accesses the environment: not at all, `process.env.X` or `process.env['X']`. */
  readonly environment: 'none' | 'dot' | 'bracket';
}

/**
 * Finds the application's module: the file of `--module`, otherwise the module that main.ts bootstraps, otherwise app.module.ts.
 *
 * @throws InitProblem if there is none
 */
export function findApplication(project: Project, files: readonly SourceFile[], named: string | undefined): Application {
  const main = files.find(({ path }) => path === join(project.sourceRoot, 'main.ts'));
  const started = main ? readMain(main, project.typescript) : UNKNOWN_MAIN;
  const module = findModuleFile(project, files, named === undefined ? started.file : resolve(project.root, named));
  return {
    module,
    moduleName: started.file === module.path ? started.moduleName : 'AppModule',
    globalPrefix: started.globalPrefix,
    port: started.port,
    ...(started.portVariable !== undefined && { portVariable: started.portVariable }),
    environment: environmentOf(main?.text ?? ''),
  };
}

/**
 * Finds the file of the module.
 *
 * @param place path from `--module` or main.ts
 */
function findModuleFile({ root, sourceRoot }: Project, files: readonly SourceFile[], place: string | undefined): SourceFile {
  const path = place ?? join(sourceRoot, 'app.module.ts');
  const module = files.find((file) => file.path === path);
  if (module) return module;
  throw new InitProblem(`There is no ${pathFrom(root, path)}. Name the file of your application's module, e.g. --module src/app.module.ts`);
}

interface Main extends Pick<Application, 'moduleName' | 'globalPrefix' | 'port' | 'portVariable'> {
  /** File from which main.ts imports the class of the module. */
  readonly file: string | undefined;
}

const UNKNOWN_MAIN: Main = { moduleName: 'AppModule', file: undefined, globalPrefix: '', port: 3000 };

function readMain({ path, text }: SourceFile, typescript: TypeScript): Main {
  const file = parseSource(text, typescript);
  const calls = findCalls(file, typescript);
  const created = argumentOf('create') ?? argumentOf('createApplicationContext');
  const moduleName = created && typescript.isIdentifier(created) ? created.text : 'AppModule';
  const prefix = argumentOf('setGlobalPrefix');
  return {
    moduleName,
    file: importedFile(moduleName, path, file, typescript),
    globalPrefix: prefix && typescript.isStringLiteralLike(prefix) ? prefix.text.replace(/^\/+|\/+$/g, '') : '',
    ...readPort(argumentOf('listen')),
  };

  function argumentOf(method: string): ts.Expression | undefined {
    const call = calls.find(({ expression }) => typescript.isPropertyAccessExpression(expression) && expression.name.text === method);
    return call?.arguments[0];
  }
}

const ENVIRONMENT_VARIABLE = /\bprocess\.env(?:\.\w+|\[(['"])\w+\1\])/;

function readPort(listened: ts.Expression | undefined): Pick<Main, 'port' | 'portVariable'> {
  const text = listened?.getText() ?? '';
  const [portVariable] = ENVIRONMENT_VARIABLE.exec(text) ?? [];
  return { port: Number(/\b\d{2,5}\b/.exec(text)?.[0] ?? 3000), ...(portVariable !== undefined && { portVariable }) };
}

function findCalls(root: ts.Node, typescript: TypeScript): readonly ts.CallExpression[] {
  const calls: ts.CallExpression[] = [];
  visit(root);
  return calls;

  function visit(node: ts.Node): void {
    if (typescript.isCallExpression(node)) calls.push(node);
    typescript.forEachChild(node, visit);
  }
}

/**
 * Returns the file from which a name is imported by a relative path.
 *
 * @param path of the importing file
 */
function importedFile(name: string, path: string, file: ts.SourceFile, typescript: TypeScript): string | undefined {
  for (const statement of file.statements) {
    if (!typescript.isImportDeclaration(statement) || !typescript.isStringLiteral(statement.moduleSpecifier)) continue;
    const { text: specifier } = statement.moduleSpecifier;
    const isNamed = new RegExp(`\\b${name}\\b`).test(statement.importClause?.getText(file) ?? '');
    if (isNamed && specifier.startsWith('.')) return `${resolve(dirname(path), specifier.replace(/\.[jt]s$/, ''))}.ts`;
  }
  return undefined;
}

function environmentOf(main: string): Application['environment'] {
  if (main.includes('process.env[')) return 'bracket';
  return main.includes('process.env.') ? 'dot' : 'none';
}
