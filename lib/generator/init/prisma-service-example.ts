import { dirname, join } from 'node:path';
import { type ImportExtension, importSpecifier } from './import-module.js';
import { findBlocks, type PrismaBlock, type SchemaFile } from './prisma-blocks.js';

interface Adapter {
  readonly packages: readonly string[];
  readonly name: string;
  /** Source of the value in `new PrismaClient({ adapter: … })`. */
  readonly made: string;
}

/** Prisma's driver adapter by provider. */
const ADAPTERS: Readonly<Record<string, Adapter>> = {
  cockroachdb: {
    packages: ['@prisma/adapter-pg'],
    name: 'PrismaPg',
    made: 'new PrismaPg({ connectionString: process.env.DATABASE_URL, statement_timeout: 5_000 })',
  },
  mysql: { packages: ['@prisma/adapter-mariadb'], name: 'PrismaMariaDb', made: "new PrismaMariaDb(process.env.DATABASE_URL ?? '')" },
  sqlite: {
    packages: ['@prisma/adapter-better-sqlite3'],
    name: 'PrismaBetterSqlite3',
    made: "new PrismaBetterSqlite3({ url: process.env.DATABASE_URL ?? '' })",
  },
  sqlserver: { packages: ['@prisma/adapter-mssql'], name: 'PrismaMssql', made: "new PrismaMssql(process.env.DATABASE_URL ?? '')" },
};

/** The path of the example, and the ending of imports in the project. */
export interface ExampleSetting {
  /** Absolute path. */
  readonly path: string;
  readonly extension: ImportExtension;
  /** Whether the client connects to a connection pooler, which may refuse `statement_timeout` as a startup parameter. */
  readonly isPooled: boolean;
}

/** Prints a `PrismaService` to paste, for the project's Prisma client and database. */
export function prismaServiceExample(files: readonly SchemaFile[], setting: ExampleSetting): string {
  const client = findBlocks(files).find((block) => block.kind === 'generator' && settingOf(block, 'provider').startsWith('prisma-client'));
  const imported = `import { PrismaClient } from '${clientSpecifier(client, setting)}';`;
  const provider = providerOf(files);
  if (isPostgres(provider)) return postgresExample(imported, setting.isPooled ? '' : ', statement_timeout: 5_000');
  const adapter = ADAPTERS[provider];
  return `import { Injectable } from '@nestjs/common';
${adapter ? `import { ${adapter.name} } from '${adapter.packages[0] ?? ''}';\n` : ''}${imported}

@Injectable()
export class PrismaService extends PrismaClient {
  constructor() {
    super(${adapter ? `{ adapter: ${adapter.made} }` : ''});
  }
}
`;
}

/** Returns the packages that the example imports in addition to the Prisma client. */
export function examplePackages(files: readonly SchemaFile[]): readonly string[] {
  const provider = providerOf(files);
  return isPostgres(provider) ? ['@prisma/adapter-pg', 'pg', '@types/pg'] : (ADAPTERS[provider]?.packages ?? []);
}

/** Prints the example for PostgreSQL, with a pool for SQL reads. */
function postgresExample(imported: string, timeout: string): string {
  return `import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
${imported}

@Injectable()
export class PrismaService extends PrismaClient implements OnModuleDestroy {
  readonly pool: Pool;

  constructor() {
    const pool = new Pool({ connectionString: process.env.DATABASE_URL${timeout} });
    // Without a listener, a connection that is lost while it is idle ends the process. withSql logs it.
    pool.on('error', () => undefined);
    super({ adapter: new PrismaPg(pool, { disposeExternalPool: true }) });
    this.pool = pool;
  }

  async onModuleDestroy() {
    await this.$disconnect();
  }
}
`;
}

function providerOf(files: readonly SchemaFile[]): string {
  return settingOf(
    findBlocks(files).find(({ kind }) => kind === 'datasource'),
    'provider',
  );
}

function isPostgres(provider: string): boolean {
  return provider === 'postgresql' || provider === 'postgres';
}

function settingOf(block: PrismaBlock | undefined, name: string): string {
  return block?.settings.get(name) ?? '';
}

/** Returns the import specifier of the generated client: a folder of sources (`prisma-client`) or a package (`prisma-client-js`). */
function clientSpecifier(client: PrismaBlock | undefined, { path, extension }: ExampleSetting): string {
  const output = settingOf(client, 'output');
  if (!client || output === '') return '@prisma/client';
  const folder = join(dirname(client.file.path), output);
  const isSources = settingOf(client, 'provider') === 'prisma-client';
  return isSources ? importSpecifier(path, join(folder, 'client.ts'), extension) : importSpecifier(path, folder, '');
}
