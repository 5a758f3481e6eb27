import { resolve } from 'node:path';
import { version } from 'node:process';
import { pathToFileURL } from 'node:url';
import { buildResourceModel } from '../model/build-resource-model.js';
import { describeSurface } from '../model/surface/describe-surface.js';
import type { ResourceSchema } from '../model/schema/resource-schema.js';
import { codeOf, messageOf } from './error-text.js';
import { type Surface, surfaceOf } from './surface-lock.js';

/** The modules that say what is open. */
export interface SurfaceFiles {
  /** Exports `resourceSchema`. */
  readonly schema: string;
  /** Exports `resources`. @default the schema's module, if it exports that too */
  readonly resources?: string | undefined;
}

/**
 * What the module would open with this schema and these options.
 *
 * @throws Error for a file that cannot be loaded or lacks its export; ConfigurationError as at boot
 */
export async function loadSurface({ schema: schemaFile, resources: resourcesFile }: SurfaceFiles): Promise<Surface> {
  const schema = await load(schemaFile, 'resourceSchema');
  if (schema === undefined) throw new Error(`${schemaFile} does not export 'resourceSchema'.`);
  const resources = await load(resourcesFile ?? schemaFile, 'resources');
  if (resourcesFile !== undefined && resources === undefined) throw new Error(`${resourcesFile} does not export 'resources'.`);
  const { model } = buildResourceModel(schema as ResourceSchema, { resources: resources ?? {} });
  return surfaceOf(describeSurface(model));
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
