import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { largeSchema } from './large-schema.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Generates a client and a resource schema of the given number of models, unless they exist.
 *
 * @returns the folder, and the module of the resource schema
 */
export function createSchema(models) {
  const folder = fileURLToPath(new URL(`generated/${models}/`, import.meta.url));
  const [file, schema] = [`${folder}schema.prisma`, `${folder}resource-schema.js`];
  const text = largeSchema(models);
  if (existsSync(schema) && readFileSync(file, 'utf8') === text) return { folder, schema };
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, text);
  generate(file);
  const source = readFileSync(`${folder}resource-schema.ts`, 'utf8');
  writeFileSync(schema, ts.transpile(source, { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext }));
  return { folder, schema };
}

function generate(file) {
  // Any file that exists: `prisma generate` checks for an engine that it does not use.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: 'package.json' };
  const { status } = spawnSync('npx', ['prisma', 'generate', '--schema', file], { cwd: ROOT, env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`prisma generate of ${file} failed.`);
}
