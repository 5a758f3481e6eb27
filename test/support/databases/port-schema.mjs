import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Writes the tests' Prisma schema for SQLite and for MySQL (MariaDB), without what these lack: lists of scalars, columns of unsupported
 * types, and native types that are PostgreSQL's. `prisma generate` then makes a client of each.
 */
const schema = readFileSync(new URL('../prisma/schema.prisma', import.meta.url), 'utf8');

for (const provider of ['sqlite', 'mysql']) {
  const folder = new URL(`../generated/${provider}/`, import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL('schema.prisma', folder), portSchema(provider));
}

/**
 * @param {'sqlite' | 'mysql'} provider
 * @returns {string}
 */
function portSchema(provider) {
  return schema
    .replace('provider = "postgresql"', `provider = "${provider}"`)
    .replace(/^.*previewFeatures.*\n/m, '')
    .replaceAll('"../generated/', '"./')
    .split('\n')
    .filter((line) => !isLacking(line))
    .map((line) => (provider === 'sqlite' ? line.replace(/ @db\.\w+(\(.*?\))?/, '') : line.replace('@db.Uuid', '@db.Char(36)')))
    .join('\n');
}

/**
 * @param {string} line
 * @returns {boolean}
 */
function isLacking(line) {
  return line.includes('Unsupported(') || /^ +\w+ +(String|Boolean|Int|BigInt|Float|Decimal|DateTime|Json|Bytes|Level)\[\]/.test(line);
}
