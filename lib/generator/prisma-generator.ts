import { createHash } from 'node:crypto';
import { dirname, extname, join, resolve } from 'node:path';
import type { GeneratorManifest, GeneratorOptions } from '@prisma/generator-helper';
import type { ResourceSchema } from '../model/schema/resource-schema.js';
import { browserSchemaOf, loadResources, NO_RESOURCES, printBrowserSchema, readGrants } from './browser-schema.js';
import { packageVersion, writeNewFile } from './files.js';
import { findLostDirectives } from './find-lost-directives.js';
import { printSchema } from './print-schema.js';
import { readDatamodel, readProvider } from './read-datamodel.js';

const FILE_NAME = 'resource-schema.ts';

/** Returns the name of the generator for Prisma's log, and its default output. */
export async function getManifest(): Promise<GeneratorManifest> {
  return { prettyName: 'Resource API schema', version: await packageVersion(), defaultOutput: `generated/${FILE_NAME}` };
}

/**
 * Writes the schema metadata of a Prisma schema: to `output` itself if that is a `.ts` file, otherwise to `resource-schema.ts` in it.
 *
 * @throws Error, printed by `prisma generate`, if an `@api.…` comment has no effect, or part of the
 * schema is ambiguous or unsupported. Nothing is written then.
 */
export async function generate(options: Pick<GeneratorOptions, 'generator' | 'dmmf' | 'datasources' | 'datamodel'>): Promise<void> {
  assertNothingLost(options);
  const file = resolveFile(options.generator.output?.value);
  const hash = createHash('sha256').update(options.datamodel).digest('hex');
  const { version, ...schema } = readDatamodel(options.dmmf, readProvider(options.datasources), options.datamodel);
  const source = printSchema({ version, hash, ...schema });
  const forBrowsers = await browserFile(options.generator, { version, ...schema });
  await writeNewFile(file, source);
  if (forBrowsers) await writeNewFile(forBrowsers.file, forBrowsers.text);
}

/**
 * Returns the file for browsers, if the generator block has `browser = "…"` and `resources = "…"`, and
 * optionally `grants = "…"`. Paths are relative to the Prisma schema.
 */
async function browserFile(
  { config, sourceFilePath }: GeneratorOptions['generator'],
  schema: ResourceSchema,
): Promise<{ readonly file: string; readonly text: string } | undefined> {
  const { browser, resources, grants } = config;
  if (browser === undefined) return undefined;
  if (typeof browser !== 'string' || !browser.endsWith('.ts')) throw new Error(`browser is ${String(browser)}; it must be a .ts file.`);
  const placeOf = (path: string): string => resolve(dirname(sourceFilePath), path);
  const given = typeof resources === 'string' ? resources : undefined;
  const option = await loadResources(given === undefined || given === NO_RESOURCES ? given : placeOf(given), 'resources');
  const held = readGrants(typeof grants === 'string' ? grants : grants?.join());
  return { file: placeOf(browser), text: printBrowserSchema(browserSchemaOf(schema, option, held)) };
}

function assertNothingLost({ datamodel, dmmf }: Pick<GeneratorOptions, 'datamodel' | 'dmmf'>): void {
  const lines = findLostDirectives(datamodel, dmmf.datamodel.models);
  if (lines.length === 0) return;
  throw new Error(
    `These comments are attached to no model and no field, so they would change nothing:\n${lines.map((line) => `  ${line}`).join('\n')}\n` +
      'Write them with three slashes, on the line right above the model or field, or behind the field.',
  );
}

function resolveFile(output: string | null | undefined): string {
  if (!output) throw new Error('The generator block has no output. Add one, e.g. output = "../generated/resource-schema.ts".');
  if (/\.d\.[cm]?ts$|\.([cm]?jsx?|tsx|json)$/.test(output))
    throw new Error(`output names ${output}; it must be a .ts file or a directory.`);
  return /\.[cm]?ts$/.test(extname(output)) ? output : join(output, FILE_NAME);
}
