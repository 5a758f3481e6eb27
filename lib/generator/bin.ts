#!/usr/bin/env node
import { argv, env } from 'node:process';

/** Prisma sets this variable in the generators that it starts, and gives them no arguments. */
const startedByPrisma = env['PRISMA_GENERATOR_INVOCATION'] !== undefined && argv.length === 2;

await (startedByPrisma ? serveGenerator() : runCommand());

/** Answers Prisma's requests: JSON-RPC on stdin and stderr, until Prisma stops the process. */
async function serveGenerator(): Promise<void> {
  // A CommonJS module without named exports that Node detects: only a default import works.
  const { default: helper } = await import('@prisma/generator-helper');
  const { generate, getManifest } = await import('./prisma-generator.js');
  helper.generatorHandler({ onManifest: getManifest, onGenerate: generate });
}

async function runCommand(): Promise<void> {
  const { runCli } = await import('./run-cli.js');
  process.exitCode = await runCli(argv.slice(2), console);
}
