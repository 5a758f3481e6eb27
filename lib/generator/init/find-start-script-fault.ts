import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathFrom, type Project } from './project.js';

/**
 * `start:prod` of Nest's template runs `dist/main`. TypeScript writes main.ts into `dist/src` as soon as it compiles a file beside `src`, such as
 * `prisma.config.ts`.
 *
 * @returns what to do about it, where that is so
 */
export function findStartScriptFault(project: Project): string | undefined {
  const { root, sourceRoot, packageJson } = project;
  const started = /\bnode\s+(?:-\S+\s+)*([^\s-]\S*)/.exec(packageJson.scripts?.['start:prod'] ?? '')?.[1];
  const config = configOf(project);
  if (started === undefined || config === undefined) return undefined;
  const built = builtMain(config, project);
  if (built === undefined || built.main.replace(/\.[cm]?js$/, '') === resolve(root, started).replace(/\.[cm]?js$/, '')) return undefined;
  const others = built.sources.filter((file) => pathFrom(sourceRoot, file).startsWith('../')).map((file) => pathFrom(root, file));
  const name = pathFrom(root, config);
  const remedy =
    others.length === 0
      ? `Write "rootDir": "./src" into the compilerOptions of ${name}.`
      : `It compiles ${others.join(', ')}, too. Add ${others.map((file) => `"${file}"`).join(', ')} to "exclude" in ${name}.`;
  return `npm run start:prod runs ${started}, and the build writes ${pathFrom(root, built.main)}. ${remedy}`;
}

/** The configuration that `nest build` compiles with; other builders write to places of their own. */
function configOf({ root, nestCli }: Project): string | undefined {
  const { builder, tsConfigPath } = nestCli.compilerOptions ?? {};
  if (builder !== undefined && builder !== 'tsc') return undefined;
  const places = [tsConfigPath, 'tsconfig.build.json', 'tsconfig.json'].flatMap((place) =>
    place === undefined ? [] : [join(root, place)],
  );
  return places.find((place) => existsSync(place));
}

interface BuiltMain {
  /** Absolute: the file that main.ts becomes. */
  readonly main: string;
  /** Absolute: all files that are compiled. */
  readonly sources: readonly string[];
}

function builtMain(config: string, { sourceRoot, typescript }: Project): BuiltMain | undefined {
  const host = { ...typescript.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  const parsed = typescript.getParsedCommandLineOfConfigFile(config, {}, host);
  const source = parsed?.fileNames.find((file) => resolve(file) === join(sourceRoot, 'main.ts'));
  if (!parsed || source === undefined) return undefined;
  const main = typescript.getOutputFileNames(parsed, source, false).find((file) => /\.[cm]?js$/.test(file));
  return main === undefined ? undefined : { main: resolve(main), sources: parsed.fileNames.filter((file) => !/\.d\.[cm]?ts$/.test(file)) };
}
