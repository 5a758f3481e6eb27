import { resolve } from 'node:path';
import { version } from 'node:process';
import { pathToFileURL } from 'node:url';
import { buildResourceModel } from '../model/build-resource-model.js';
import { describeSurface } from '../model/surface/describe-surface.js';
import type { ResourceSchema } from '../model/schema/resource-schema.js';
import { compileRules } from '../rules/compile-rules.js';
import { withRowStates } from '../rules/row-states.js';
import type { RulesOption } from '../rules/rules-option.js';
import { codeOf, messageOf } from './error-text.js';
import { type Surface, surfaceOf } from './surface-lock.js';

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
 * What the module would open with this schema and these options.
 *
 * @throws Error for a file that cannot be loaded or lacks its export; ConfigurationError as at boot
 */
export async function loadSurface({ schema: schemaFile, ...files }: SurfaceFiles): Promise<Surface> {
  const schema = (await load(schemaFile, 'resourceSchema')) as ResourceSchema | undefined;
  if (schema === undefined) throw new Error(`${schemaFile} does not export 'resourceSchema'.`);
  const resources = await loadOption('resources', files.resources, schemaFile);
  const rules = await loadOption('rules', files.rules, schemaFile);
  const { model } = buildResourceModel(schema, { resources: resources ?? {} });
  if (rules === undefined) return surfaceOf(describeSurface(model));
  return surfaceOf(describeSurface(withRowStates(model, compileRules(rules as RulesOption, schema, model.resources))));
}

/** An option by its name; undefined where no file is named and the schema's has none. */
async function loadOption(name: string, file: string | undefined, schemaFile: string): Promise<unknown> {
  const option = await load(file ?? schemaFile, name);
  if (file !== undefined && option === undefined) throw new Error(`${file} does not export '${name}'.`);
  return option;
}

async function load(file: string, name: string): Promise<unknown> {
  const module = await importFile(file);
  // CommonJS whose names Node could not detect has them under `default` only.
  return module[name] ?? (module['default'] as Exports | undefined)?.[name];
}

type Exports = Readonly<Record<string, unknown>>;

async function importFile(file: string): Promise<Exports> {
  try {
    return (await import(pathToFileURL(resolve(file)).href)) as Exports;
  } catch (cause) {
    const remedy =
      codeOf(cause) === 'ERR_UNKNOWN_FILE_EXTENSION'
        ? ` Node ${version} reads no TypeScript: name the compiled file, or set NODE_OPTIONS='--import tsx'.`
        : '';
    throw new Error(`${file} cannot be loaded.${remedy} (${messageOf(cause)})`, { cause });
  }
}
