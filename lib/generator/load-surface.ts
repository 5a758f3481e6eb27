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

/** The modules that decide what is open: the schema's, and those of the options `resources` and `rules`; by default the schema's, if it exports them too. */
interface SurfaceFiles {
  readonly schema: string;
  readonly resources?: string | undefined;
  readonly rules?: string | undefined;
}

/**
 * What the module would open with this schema and these options, to everybody and to callers of grants.
 *
 * @throws Error for a file that cannot be loaded or lacks its export; ConfigurationError as at boot
 */
export async function loadSurface({ schema: schemaFile, ...files }: SurfaceFiles): Promise<RightsByPlace> {
  const schema = await loadSchema(schemaFile);
  const resources = (await loadOption('resources', files.resources, schemaFile)) ?? {};
  const rules = await loadOption('rules', files.rules, schemaFile);
  const { widest, served } = buildGrantedModels(schema, { resources });
  const compiled = rules === undefined ? null : compileRules(rules, widest.model.storage, widest.model.resources);
  return rightsByPlace(served((model) => withRowStates(model, compiled)).model);
}

/** @throws Error for a file that cannot be loaded or lacks the export */
export async function loadSchema(file: string): Promise<ResourceSchema> {
  const schema = await loadExport(file, 'resourceSchema');
  if (schema === undefined) throw new Error(`${file} does not export 'resourceSchema'.`);
  return schema;
}

/** An option by its name; undefined where no file is named and the schema's has none. */
export async function loadOption<Name extends 'resources' | 'rules'>(
  name: Name,
  file: string | undefined,
  schemaFile: string,
): Promise<HostModule[Name] | undefined> {
  const option = await loadExport(file ?? schemaFile, name);
  if (file !== undefined && option === undefined) throw new Error(`${file} does not export '${name}'.`);
  return option;
}

/** What a module of a host may export. What is read of it is checked by whoever builds a model of it. */
interface HostModule {
  readonly resourceSchema?: ResourceSchema;
  readonly resources?: ResourcesOption;
  readonly rules?: RulesOption;
  /** CommonJS whose names Node could not detect has them here only. */
  readonly default?: Omit<HostModule, 'default'>;
}

/**
 * An export of a module. What Node does not read of TypeScript, the compiler of the project does, if it has one.
 *
 * @throws Error where the module cannot be loaded
 */
async function loadExport<Name extends 'resourceSchema' | 'resources' | 'rules'>(
  file: string,
  name: Name,
): Promise<HostModule[Name] | undefined> {
  const path = resolve(file);
  const url = pathToFileURL(path).href;
  const module = await importFrom(url).catch((cause: unknown) => {
    if (!/\.[cm]?ts$/.test(path)) throw unloadable(file, cause);
    return importTypeScript(file, url);
  });
  return module[name] ?? module.default?.[name];
}

async function importFrom(url: string): Promise<HostModule> {
  return (await import(url)) as HostModule;
}

/** Imports a module that Node cannot read by itself: it has decorators, imports other sources, or Node reads no TypeScript. */
async function importTypeScript(file: string, url: string): Promise<HostModule> {
  try {
    register('./typescript-hooks.js', { parentURL: import.meta.url, data: url });
    return await importFrom(url + COMPILED);
  } catch (cause) {
    throw unloadable(file, cause, ` Name the compiled file, or set NODE_OPTIONS='--import tsx'.`);
  }
}

function unloadable(file: string, cause: unknown, remedy = ''): Error {
  return new Error(`${file} cannot be loaded.${remedy} (${messageOf(cause)})`, { cause });
}
