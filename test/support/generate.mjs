import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { writeSchemas } from './values/write-schemas.mjs';

/**
 * Runs `prisma generate` for each schema that the tests and the samples have, one after the other in this process: Prisma takes longer to load than to generate.
 * Arguments choose among them: `node test/support/generate.mjs sample/blog`.
 */
const SCHEMAS = [
  '--config sample/blog/prisma.config.ts',
  '--config sample/rules/prisma.config.ts',
  '--config sample/real-application/prisma.config.ts',
  '--schema test/support/prisma/schema.prisma',
  '--schema test/support/prisma/names.prisma',
  '--schema test/support/prisma/tasks.prisma',
  '--schema test/support/prisma/keys.prisma',
  '--schema test/support/prisma/emulated.prisma',
  '--schema test/support/prisma/values.prisma',
  '--schema test/docs/real-application/schema.prisma',
  '--schema test/support/generated/typed-keys/schema.prisma',
  '--schema test/support/generated/typed-keys-joined/schema.prisma',
];

writeSchemas();

const require = createRequire(import.meta.url);
const CLI = join(dirname(require.resolve('prisma/package.json')), 'build/cli.js');
const [node, , ...chosen] = process.argv;
const left = SCHEMAS.filter((options) => chosen.length === 0 || chosen.some((part) => options.includes(part)));

// Any file that is there: `prisma generate` requires an engine that it does not use, and would download it.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= 'package.json';

/** Prisma's command line runs when it is loaded, and ends this process itself if it fails. */
function generateNext() {
  const options = left.shift();
  if (options === undefined) return;
  process.argv = [node, CLI, 'generate', ...options.split(' ')];
  Reflect.deleteProperty(require.cache, CLI);
  require(CLI);
}

// Prisma is done when nothing is left to wait for.
process.on('beforeExit', generateNext);
generateNext();
