import { register } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ResourcesOption } from '../model/exposure/resources-option.js';
import { buildGrantedModels } from '../model/granted-models.js';
import type { ResourceSchema } from '../model/schema/resource-schema.js';
import { type RightsByPlace, rightsByPlace } from '../model/surface/rights-by-place.js';
import { compileRules } from '../rules/compile-rules.js';
import { withRowStates } from '../rules/row-states.js';
import type { RulesOption } from '../rules/rules-option.js';
import { messageOf } from './terminal.js';
import { COMPILED } from './typescript-hooks.js';

/**
 * The modules that define the exposure: those of the schema and of the options `resources` and `rules`. An option without
 * a file is read from the schema's module, if that exports it.
 */
interface SurfaceFiles {
  readonly schema: string;
  readonly resources?: string | undefined;
  readonly rules?: string | undefined;
}

/**
 * Computes the exposure for this schema and these options, for all callers and for callers with grants.
 *
 * @throws Error if a file cannot be loaded or lacks its export; ConfigurationError as at boot
 */
export async function loadSurface({ schema: schemaFile, ...files }: SurfaceFiles): Promise<RightsByPlace> {
  const schema = await loadSchema(schemaFile);
  const resources = (await loadOption('resources', files.resources, schemaFile)) ?? {};
  const rules = await loadOption('rules', files.rules, schemaFile);
  const { widest, served } = buildGrantedModels(schema, { resources });
  const compiled = rules === undefined ? null : compileRules(rules, widest.model.storage, widest.model.resources);
  return rightsByPlace(served((model) => withRowStates(model, compiled)).model);
}

/**
 * Loads the export `resourceSchema` of a file.
 *
 * @throws Error if the file cannot be loaded or lacks the export
 */
export async function loadSchema(file: string): Promise<ResourceSchema> {
  const schema = await loadExport(file, 'resourceSchema');
  if (schema === undefined) throw new Error(`${file} does not export 'resourceSchema'.`);
  return schema;
}

/** Loads an option by its name; undefined if no file is named and the schema's module does not export it. */
export async function loadOption<Name extends 'resources' | 'rules'>(
  name: Name,
  file: string | undefined,
  schemaFile: string,
): Promise<ApplicationModule[Name] | undefined> {
  const option = await loadExport(file ?? schemaFile, name);
  if (file !== undefined && option === undefined) throw new Error(`${file} does not export '${name}'.`);
  return option;
}

/** The exports of a module of the application. The values are validated when the resource model is built. */
interface ApplicationModule {
  readonly resourceSchema?: ResourceSchema;
  readonly resources?: ResourcesOption;
  readonly rules?: RulesOption;
  /** The exports of a CommonJS module whose names Node could not detect. */
  readonly default?: Omit<ApplicationModule, 'default'>;
}

async function loadExport<Name extends 'resourceSchema' | 'resources' | 'rules'>(
  file: string,
  name: Name,
): Promise<ApplicationModule[Name] | undefined> {
  const module: ApplicationModule = await importModule(file);
  return module[name] ?? module.default?.[name];
}

/**
 * Imports a module. If Node cannot load a TypeScript file, the project's compiler compiles it.
 *
 * @throws Error if the module cannot be loaded
 */
export async function importModule(file: string): Promise<object> {
  const path = resolve(file);
  const url = pathToFileURL(path).href;
  return importFrom(url).catch((cause: unknown) => {
    if (!/\.[cm]?ts$/.test(path)) throw unloadable(file, cause);
    return importTypeScript(file, url);
  });
}

async function importFrom(url: string): Promise<object> {
  return (await import(url)) as object;
}

/** Imports a module through the project's compiler: it has decorators, imports other sources, or Node does not support TypeScript. */
async function importTypeScript(file: string, url: string): Promise<object> {
  try {
    // The path holds for the bundle, too, in which this module is in `chunks`.
    register('../generator/typescript-hooks.js', { parentURL: import.meta.url, data: url });
    return await importFrom(url + COMPILED);
  } catch (cause) {
    throw unloadable(file, cause, ` Name the compiled file, or set NODE_OPTIONS='--import tsx'.`);
  }
}

function unloadable(file: string, cause: unknown, remedy = ''): Error {
  return new Error(`${file} cannot be loaded.${remedy} (${messageOf(cause)})`, { cause });
}
