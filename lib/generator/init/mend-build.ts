import { dirname, join, resolve } from 'node:path';
import { existsSync } from 'node:fs';
import type ts from 'typescript';
import { readTextFile } from '../files.js';
import { addElement, addProperty } from './import-module.js';
import { propertyOf } from './nest-modules.js';
import { pathFrom, type Project } from './project.js';
import { applyEdits, type FileChange } from './source-files.js';

/**
 * Plans the change with which the build writes the file that `start:prod` runs.
 *
 * Nest's template runs `dist/main`. If a file beside `src` is compiled, such as `prisma.config.ts`, TypeScript writes main.ts into `dist/src`. TypeScript 6
 * does so, too, without a `rootDir`.
 *
 * @returns the change; the fault with its remedy, if `init` does not make that change; undefined if there is no fault
 */
export async function mendBuild(project: Project): Promise<FileChange | string | undefined> {
  const { root, sourceRoot, packageJson } = project;
  const started = /\bnode\s+(?:-\S+\s+)*([^\s-]\S*)/.exec(packageJson.scripts?.['start:prod'] ?? '')?.[1];
  const path = configOf(project);
  const before = path === undefined ? undefined : await readTextFile(path);
  if (started === undefined || path === undefined || before === undefined) return undefined;
  const runs = ({ main }: Built): boolean => withoutExtension(main) === withoutExtension(resolve(root, started));
  const built = buildOf({ path, text: before }, project);
  if (!built || runs(built)) return undefined;
  const others = built.sources.filter((file) => pathFrom(sourceRoot, file).startsWith('../')).map((file) => pathFrom(root, file));
  for (const after of editsOf({ path, text: before }, others.filter(isPrismaConfig), project)) {
    const mended = buildOf({ path, text: after }, project);
    const isMended = mended && runs(mended) && mended.sources.every((file) => !pathFrom(sourceRoot, file).startsWith('../'));
    if (isMended) return { path, before, after, summary: `the build writes ${pathFrom(root, mended.main)}` };
  }
  return `npm run start:prod runs ${started}, and the build writes ${pathFrom(root, built.main)}. ${remedyOf(others, pathFrom(root, path))}`;
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
  const excluded = listIn('exclude');
  if (files.length > 0 && !excluded) return [];
  const names = files.map((name) => JSON.stringify(name)).join(', ');
  const exclude = excluded && files.length > 0 ? addElement(excluded, names, file) : [];
  const rootDir = `"rootDir": ${JSON.stringify(`./${pathFrom(dirname(config.path), sourceRoot)}`)}`;
  const options = valueIn('compilerOptions');
  if (options && (!typescript.isObjectLiteralExpression(options) || propertyOf(options, 'rootDir', typescript))) return [];
  const added = options ? addProperty(options, rootDir, file) : addProperty(root, `"compilerOptions": { ${rootDir} }`, file);
  return [exclude, [...exclude, added]].map((edits) => applyEdits(config.text, edits));

  function valueIn(name: string): ts.Expression | undefined {
    const property = propertyOf(root, name, typescript);
    return property && typescript.isPropertyAssignment(property) ? property.initializer : undefined;
  }

  function listIn(name: string): ts.ArrayLiteralExpression | undefined {
    const value = valueIn(name);
    return value && typescript.isArrayLiteralExpression(value) ? value : undefined;
  }
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
  /** Absolute paths of all compiled sources. */
  readonly sources: readonly string[];
}

function buildOf({ path, text }: Config, { sourceRoot, typescript }: Project): Built | undefined {
  const { sys } = typescript;
  const readFile = (file: string): string | undefined => (resolve(file) === path ? text : sys.readFile(file));
  const host = { ...sys, readFile, onUnRecoverableConfigFileDiagnostic: () => undefined };
  const parsed = typescript.getParsedCommandLineOfConfigFile(path, {}, host);
  const source = parsed?.fileNames.find((file) => resolve(file) === join(sourceRoot, 'main.ts'));
  if (!parsed || source === undefined) return undefined;
  const main = typescript.getOutputFileNames(parsed, source, false).find((file) => /\.[cm]?js$/.test(file));
  return main === undefined ? undefined : { main: resolve(main), sources: parsed.fileNames.filter((file) => !/\.d\.[cm]?ts$/.test(file)) };
}
