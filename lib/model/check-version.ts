import { ConfigurationError } from '../errors/configuration-error.js';
import type { ResourceSchema } from './schema/resource-schema.js';

/** @throws ConfigurationError for what this version cannot read */
export function checkVersion(schema: ResourceSchema): void {
  // The file may come from another version of the generator, whatever its type says.
  const version: number | undefined = (schema as Partial<ResourceSchema> | undefined)?.version;
  if (version === 2) return;
  throw new ConfigurationError(
    version === undefined
      ? 'The option `schema` is not a generated resource schema.'
      : `The resource schema has version ${version}, and this package reads version 2.`,
    'Run `prisma generate` with the generator of the installed nestjs-resource-api, and pass its `resourceSchema`.',
  );
}
