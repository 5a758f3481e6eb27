import { PrismaLibSql } from '@prisma/adapter-libsql';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SeededDatabase } from './seeded-database.js';
import { DATABASE_SQL, seedEmpty, TEMPLATE_VERSION } from '../template.js';
import { portSql } from './port-sql.js';
import { seedCopy } from './seed-copy.js';

const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/nestjs-resource-api/test-database/', import.meta.url));
const TEMPLATE = join(CACHE, `test-${TEMPLATE_VERSION}.sqlite`);

const { tables, indexes } = portSql(DATABASE_SQL, 'sqlite');
const { snapshot, restore } = seedCopy(tables, 'sqlite');

/** Opens an SQLite database in a new file, copied from a template that is made once. */
export async function openSqlite(): Promise<SeededDatabase> {
  if (!existsSync(TEMPLATE)) await writeTemplate();
  const file = join(tmpdir(), `resource-api-test-${randomUUID()}.sqlite`);
  await copyFile(TEMPLATE, file);
  return { adapter: adapterOf(file), restore, close: () => remove(file) };
}

/** Written aside and renamed, so that two workers at once do no harm. */
async function writeTemplate(): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const file = join(CACHE, `${randomUUID()}.sqlite`);
  await execute(file, [...tables.map(({ create }) => create), ...indexes]);
  await seedEmpty(adapterOf(file));
  await execute(file, snapshot);
  await rename(file, TEMPLATE);
}

/** Without `bigint`, the driver fails on integers beyond 2^53. */
function adapterOf(file: string): PrismaLibSql {
  return new PrismaLibSql({ url: `file:${file}`, intMode: 'bigint' });
}

async function execute(file: string, statements: readonly string[]): Promise<void> {
  const adapter = await adapterOf(file).connect();
  await adapter.executeScript(statements.join(';\n'));
  await adapter.dispose();
}

/** With the files that SQLite keeps beside it. */
async function remove(file: string): Promise<void> {
  await Promise.all(['', '-wal', '-shm', '-journal'].map((suffix) => rm(`${file}${suffix}`, { force: true })));
}
