#!/usr/bin/env node
import { argv, env } from 'node:process';

/** Prisma sets this variable for the generators that it starts, and passes no arguments. */
const startedByPrisma = env['PRISMA_GENERATOR_INVOCATION'] !== undefined && argv.length === 2;

await (startedByPrisma ? serveGenerator() : runCommand());

/** Serves Prisma's requests: JSON-RPC on stdin and stderr, until Prisma stops the process. */
async function serveGenerator(): Promise<void> {
  // A default import is required, because Node detects no named exports in this CommonJS module.
  const { default: helper } = await import('@prisma/generator-helper');
  const { generate, getManifest } = await import('./prisma-generator.js');
  helper.generatorHandler({ onManifest: getManifest, onGenerate: generate });
}

async function runCommand(): Promise<void> {
  const { runCli } = await import('./run-cli.js');
  process.exitCode = await runCli(argv.slice(2), console);
  // An application that the command has loaded may keep connections open.
  setTimeout(() => process.exit(), 1000).unref();
}
