import { buildGrantedModels } from '../model/granted-models.js';
import { type RightsByPlace, rightsByPlace } from '../model/surface/rights-by-place.js';
import type { ResourceSchema } from '../model/schema/resource-schema.js';
import { compileRules } from '../rules/compile-rules.js';
import { withRowStates } from '../rules/row-states.js';
import type { RulesOption } from '../rules/rules-option.js';
import { loadExport } from './load-module.js';

/** The modules that decide what is open. */
export interface SurfaceFiles {
  /** Exports `resourceSchema`. */
  readonly schema: string;
  /** Exports `resources`. @default the schema's module, if it exports that too */
  readonly resources?: string | undefined;
  /** Exports `rules`. @default the schema's module, if it exports that too */
  readonly rules?: string | undefined;
}

/**
 * What the module would open with this schema and these options, to everybody and to callers of grants.
 *
 * @throws Error for a file that cannot be loaded or lacks its export; ConfigurationError as at boot
 */
export async function loadSurface({ schema: schemaFile, ...files }: SurfaceFiles): Promise<RightsByPlace> {
  const schema = await loadSchema(schemaFile);
  const resources = await loadOption('resources', files.resources, schemaFile);
  const rules = await loadOption('rules', files.rules, schemaFile);
  const { widest, served } = buildGrantedModels(schema, { resources: resources ?? {} });
  const compiled = rules === undefined ? null : compileRules(rules as RulesOption, widest.model.storage, widest.model.resources);
  return rightsByPlace(served((model) => withRowStates(model, compiled)).model);
}

/** @throws Error for a file that cannot be loaded or lacks the export */
export async function loadSchema(file: string): Promise<ResourceSchema> {
  const schema = await loadExport(file, 'resourceSchema');
  if (schema === undefined) throw new Error(`${file} does not export 'resourceSchema'.`);
  // Whoever builds a model of it checks its version.
  return schema as ResourceSchema;
}

/** An option by its name; undefined where no file is named and the schema's has none. */
export async function loadOption(name: string, file: string | undefined, schemaFile: string): Promise<unknown> {
  const option = await loadExport(file ?? schemaFile, name);
  if (file !== undefined && option === undefined) throw new Error(`${file} does not export '${name}'.`);
  return option;
}
