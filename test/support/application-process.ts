import { build } from 'esbuild';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { memberOf } from '../../lib/errors/member-of.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A test's application in a separate process, which uses the built package and the tests' Prisma client. */
export interface ApplicationProcess {
  readonly url: string;
  readonly child: ChildProcess;
  readonly ended: Promise<readonly [code: number | null, signal: NodeJS.Signals | null]>;
  /** What it has written to stdout and stderr so far. */
  readonly log: () => string;
}

/** The tests' Prisma client and schema as one file of JavaScript. Both are TypeScript, which Node 20 cannot import. */
export interface ClientBundle {
  /** A folder for further files. */
  readonly folder: string;
  /** Starts a script with the options and `bundle`, the URL of the file. The script sends `{ url }` once it listens. */
  readonly start: (script: URL, options: object) => Promise<ApplicationProcess>;
  readonly remove: () => Promise<void>;
}

export async function bundleClient(): Promise<ClientBundle> {
  // Beside the packages that it imports.
  const cache = join(ROOT, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'application-'));
  const outfile = join(folder, 'bundle.mjs');
  const contents = `export { PrismaClient } from './test/support/generated/prisma/client.ts';
    export { resourceSchema } from './test/support/generated/resource-schema.ts';`;
  await build({ stdin: { contents, resolveDir: ROOT }, outfile, bundle: true, packages: 'external', format: 'esm', platform: 'node' });
  return {
    folder,
    start: (script, options) => startApplication(script, { ...options, bundle: pathToFileURL(outfile).href }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function startApplication(script: URL, options: object): Promise<ApplicationProcess> {
  const child = fork(fileURLToPath(script), [JSON.stringify(options)], {
    env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => output.push(String(text)));
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const log = (): string => output.join('');
  const [message]: readonly unknown[] = await Promise.race([once(child, 'message'), ended]);
  const url = memberOf(message, 'url');
  if (typeof url !== 'string') throw new Error(`The application ended before it was ready: ${log()}`);
  return { url, child, ended, log };
}
