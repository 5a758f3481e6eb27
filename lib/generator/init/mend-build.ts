import { dirname, join, resolve } from 'node:path';
import { existsSync } from 'node:fs';
import type ts from 'typescript';
import { readTextFile } from '../files.js';
import { addElement, addProperty } from './import-module.js';
import { propertyOf } from './nest-modules.js';
import { pathFrom, type Project } from './project.js';
import { applyEdits, type FileChange, type TextEdit, type TypeScript } from './source-files.js';

/**
 * Plans the change with which the build writes the file that `start:prod` runs.
 *
 * Nest's template runs `dist/main`. If a file beside `src` is compiled, such as `prisma.config.ts`, TypeScript writes main.ts into `dist/src`. TypeScript 6
 * does so, too, without a `rootDir`.
 *
 * @returns the change; the fault with its remedy, if `init` does not make that change; undefined if there is no fault
 */
export async function mendBuild(project: Project): Promise<FileChange | string | undefined> {
  const { root, packageJson } = project;
  const started = /\bnode\s+(?:-\S+\s+)*([^\s-]\S*)/.exec(packageJson.scripts?.['start:prod'] ?? '')?.[1];
  const config = await readConfig(project);
  const built = config && buildOf(config, project);
  if (started === undefined || !config || !built || runs(built)) return undefined;
  const { path, text: before } = config;
  const after = editsOf(config, built.others.filter(isPrismaConfig), project).find((text) => isMended(buildOf({ path, text }, project)));
  if (after !== undefined) return { path, before, after, summary: `the build writes ${withoutExtension(started)}.js` };
  const remedy = remedyOf(built.others, pathFrom(root, path));
  return `npm run start:prod runs ${started}, and the build writes ${pathFrom(root, built.main)}. ${remedy}`;

  function runs({ main }: Built): boolean {
    return withoutExtension(main) === withoutExtension(resolve(root, started ?? ''));
  }

  function isMended(edited: Built | undefined): boolean {
    return edited !== undefined && runs(edited) && edited.others.length === 0;
  }
}

function remedyOf(others: readonly string[], config: string): string {
  if (others.length === 0) return `Write "rootDir": "./src" into the compilerOptions of ${config}.`;
  return `It compiles ${others.join(', ')}, too. Add ${others.map((file) => `"${file}"`).join(', ')} to "exclude" in ${config}.`;
}

function isPrismaConfig(file: string): boolean {
  return /^prisma\d*\.config\.[cm]?ts$/.test(file);
}

function withoutExtension(path: string): string {
  return path.replace(/\.[cm]?js$/, '');
}

/** A TypeScript configuration. */
interface Config {
  /** Absolute path. */
  readonly path: string;
  readonly text: string;
}

/** Returns the edited texts of a configuration, the smaller edit first: files that are excluded, and that with a `rootDir`. */
function editsOf(config: Config, files: readonly string[], { sourceRoot, typescript }: Project): readonly string[] {
  const file = typescript.parseJsonText(config.path, config.text);
  const root = file.statements[0]?.expression;
  if (!root || !typescript.isObjectLiteralExpression(root)) return [];
  const source = { file, root, typescript };
  const exclude = excludeEdits(files, source);
  const rootDir = rootDirEdits(`./${pathFrom(dirname(config.path), sourceRoot)}`, source);
  return exclude ? [exclude, [...exclude, ...rootDir]].map((edits) => applyEdits(config.text, edits)) : [];
}

/** A parsed configuration. */
interface Source {
  readonly file: ts.JsonSourceFile;
  readonly root: ts.ObjectLiteralExpression;
  readonly typescript: TypeScript;
}

/** Returns the edits that add files to the list `exclude`; undefined without that list. */
function excludeEdits(files: readonly string[], source: Source): readonly TextEdit[] | undefined {
  if (files.length === 0) return [];
  const list = valueOf('exclude', source);
  if (!list || !source.typescript.isArrayLiteralExpression(list)) return undefined;
  return addElement(list, files.map((name) => JSON.stringify(name)).join(', '), source.file);
}

/** Returns the edits that add the option `rootDir`; none if there is one. */
function rootDirEdits(folder: string, source: Source): readonly TextEdit[] {
  const { file, root, typescript } = source;
  const property = `"rootDir": ${JSON.stringify(folder)}`;
  const options = valueOf('compilerOptions', source);
  if (!options) return [addProperty(root, `"compilerOptions": { ${property} }`, file)];
  if (!typescript.isObjectLiteralExpression(options) || propertyOf(options, 'rootDir', typescript)) return [];
  return [addProperty(options, property, file)];
}

function valueOf(name: string, { root, typescript }: Source): ts.Expression | undefined {
  const property = propertyOf(root, name, typescript);
  return property && typescript.isPropertyAssignment(property) ? property.initializer : undefined;
}

async function readConfig(project: Project): Promise<Config | undefined> {
  const path = configOf(project);
  const text = path === undefined ? undefined : await readTextFile(path);
  return path === undefined || text === undefined ? undefined : { path, text };
}

/** Returns the TypeScript configuration of `nest build`; undefined for builders other than tsc, which use other output folders. */
function configOf({ root, nestCli }: Project): string | undefined {
  const { builder, webpack, tsConfigPath } = nestCli.compilerOptions ?? {};
  if (webpack === true || (builder !== undefined && builder !== 'tsc')) return undefined;
  const places = [tsConfigPath, 'tsconfig.build.json', 'tsconfig.json'].flatMap((place) =>
    place === undefined ? [] : [join(root, place)],
  );
  return places.find((place) => existsSync(place));
}

/** What the build compiles. */
interface Built {
  /** Absolute path of the compiled main.ts. */
  readonly main: string;
  /** The sources outside of `src`, relative to the project. */
  readonly others: readonly string[];
}

function buildOf({ path, text }: Config, { root, sourceRoot, typescript }: Project): Built | undefined {
  const { sys } = typescript;
  const readFile = (file: string): string | undefined => (resolve(file) === path ? text : sys.readFile(file));
  const host = { ...sys, readFile, onUnRecoverableConfigFileDiagnostic: () => undefined };
  const parsed = typescript.getParsedCommandLineOfConfigFile(path, {}, host);
  const source = parsed?.fileNames.find((file) => resolve(file) === join(sourceRoot, 'main.ts'));
  if (!parsed || source === undefined) return undefined;
  const main = typescript.getOutputFileNames(parsed, source, false).find((file) => /\.[cm]?js$/.test(file));
  if (main === undefined) return undefined;
  const others = parsed.fileNames.filter((file) => !/\.d\.[cm]?ts$/.test(file) && pathFrom(sourceRoot, file).startsWith('../'));
  return { main: resolve(main), others: others.map((file) => pathFrom(root, file)) };
}
