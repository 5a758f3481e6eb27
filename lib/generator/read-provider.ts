import type { DatabaseProvider } from '../model/schema/resource-schema.js';

/** Prisma's name of each provider, aliases included, and ours. */
const PROVIDERS: ReadonlyMap<string, DatabaseProvider> = new Map([
  ['postgresql', 'postgresql'],
  ['postgres', 'postgresql'],
  ['prisma+postgres', 'postgresql'],
  ['mysql', 'mysql'],
  ['sqlite', 'sqlite'],
  ['sqlserver', 'sqlserver'],
  ['cockroachdb', 'cockroachdb'],
  ['mongodb', 'mongodb'],
]);

/**
 * Reads which database a Prisma schema is for, from its one datasource.
 *
 * @throws Error when there is none, more than one, or one that this package does not know.
 */
export function readProvider(datasources: readonly { readonly name: string; readonly provider: string }[]): DatabaseProvider {
  const [datasource, ...others] = datasources;
  if (datasource === undefined) throw new Error('The Prisma schema has no datasource block. Add one that names the provider.');
  if (others.length > 0) {
    throw new Error(`The Prisma schema has several datasources (${datasources.map(({ name }) => name).join(', ')}). Keep one.`);
  }
  const provider = PROVIDERS.get(datasource.provider);
  if (provider === undefined) {
    const known = [...new Set(PROVIDERS.values())].join(', ');
    throw new Error(`Datasource ${datasource.name} has the provider ${datasource.provider}, which is not supported. Known: ${known}.`);
  }
  return provider;
}
