import { dirname, join } from 'node:path';
import { importSpecifier, type ImportExtension } from './import-specifier.js';
import { findBlocks, type PrismaBlock, type SchemaFile } from './prisma-blocks.js';

type Adapter = readonly [name: string, className: string, options: string];

const POSTGRES: Adapter = ['@prisma/adapter-pg', 'PrismaPg', '{ connectionString: process.env.DATABASE_URL }'];

/** Prisma's driver adapter for each provider: its package, its class, and what it is made with. */
const ADAPTERS: Readonly<Record<string, Adapter>> = {
  postgresql: POSTGRES,
  postgres: POSTGRES,
  cockroachdb: POSTGRES,
  mysql: ['@prisma/adapter-mariadb', 'PrismaMariaDb', "process.env.DATABASE_URL ?? ''"],
  sqlite: ['@prisma/adapter-better-sqlite3', 'PrismaBetterSqlite3', "{ url: process.env.DATABASE_URL ?? '' }"],
  sqlserver: ['@prisma/adapter-mssql', 'PrismaMssql', "process.env.DATABASE_URL ?? ''"],
};

/** Where the example goes, and how that project writes imports. */
export interface ExampleSetting {
  /** Absolute. */
  readonly path: string;
  readonly extension: ImportExtension;
}

/** A `PrismaService` to paste, for the project's own Prisma client and database. */
export function prismaServiceExample(files: readonly SchemaFile[], setting: ExampleSetting): string {
  const blocks = findBlocks(files);
  const adapter =
    ADAPTERS[
      settingOf(
        blocks.find(({ kind }) => kind === 'datasource'),
        'provider',
      )
    ];
  const client = blocks.find((block) => block.kind === 'generator' && settingOf(block, 'provider').startsWith('prisma-client'));
  const [imported, argument] = adapter ? [importOf(adapter), `{ adapter: new ${adapter[1]}(${adapter[2]}) }`] : ['', ''];
  return `import { Injectable } from '@nestjs/common';
${imported}import { PrismaClient } from '${clientSpecifier(client, setting)}';

@Injectable()
export class PrismaService extends PrismaClient {
  constructor() {
    super(${argument});
  }
}
`;
}

function settingOf(block: PrismaBlock | undefined, name: string): string {
  return block?.settings.get(name) ?? '';
}

function importOf([name, className]: Adapter): string {
  return `import { ${className} } from '${name}';\n`;
}

/** What the generated client is imported as: a folder of sources (`prisma-client`), a package (`prisma-client-js`). */
function clientSpecifier(client: PrismaBlock | undefined, { path, extension }: ExampleSetting): string {
  const output = settingOf(client, 'output');
  if (!client || output === '') return '@prisma/client';
  const folder = join(dirname(client.file.path), output);
  const isSources = settingOf(client, 'provider') === 'prisma-client';
  return isSources ? importSpecifier(path, join(folder, 'client.ts'), extension) : importSpecifier(path, folder, '');
}
