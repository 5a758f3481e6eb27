import { packageVersion } from './files.js';
import type { Terminal } from './terminal.js';

/** One command of the CLI. */
interface Command {
  /** The names of the command. The help prints the first one. */
  readonly names: readonly string[];
  readonly summary: string;
  /**
   * Runs the command.
   *
   * @returns The exit code.
   */
  readonly run: (args: readonly string[], terminal: Terminal) => Promise<number> | number;
}

/** All commands. */
const COMMANDS: readonly Command[] = [
  { names: ['init'], summary: 'add the API to the NestJS project in this folder; run again, it changes nothing', run: init },
  { names: ['surface'], summary: 'write what the API opens to surface.lock.json; --check fails when more is open', run: surface },
  { names: ['browser-schema'], summary: 'write what the API shows as a schema for front ends, without hidden names', run: browserSchema },
  { names: ['openapi'], summary: 'write the OpenAPI document of an application, which needs no database for it', run: openapi },
  { names: ['--help', '-h', 'help'], summary: 'print this help', run: printHelp },
  { names: ['--version', '-v', 'version'], summary: 'print the version', run: printVersion },
];

/**
 * Runs the command line `nestjs-resource-api <args>`. Without arguments it prints the help.
 *
 * @returns The exit code: that of the command, or 2 for an unknown command.
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name = '--help', ...rest] = args;
  const command = COMMANDS.find(({ names }) => names.includes(name));
  if (command) return command.run(rest, terminal);
  const known = COMMANDS.map(({ names: [first = ''] }) => first).join(', ');
  terminal.error(
    `nestjs-resource-api: unknown command '${name}'. The commands are ${known}.\nUsage: nestjs-resource-api <command>; nestjs-resource-api --help tells more.`,
  );
  return 2;
}

function printHelp(_args: readonly string[], terminal: Terminal): number {
  const width = Math.max(...COMMANDS.map(({ names }) => names[0]?.length ?? 0));
  const rows = COMMANDS.map(({ names: [name = ''], summary }) => `  ${name.padEnd(width)}  ${summary}`);
  terminal.log(`nestjs-resource-api: REST (JSON:API) and RPC over Prisma models, in NestJS

Usage: nestjs-resource-api <command>

${rows.join('\n')}

Options of init:
  --dry-run           print what it would write, and write nothing
  --module <file>     your application's module; default: what src/main.ts starts, else src/app.module.ts

Options of surface:
  --schema <file>     the module that exports resourceSchema (required)
  --resources <file>  the module that exports resources, the option of that name; default: the schema's, if it does
  --rules <file>      the module that exports rules, the option of that name; default: the schema's, if it does
  --lock <file>       default: surface.lock.json
  --check             compare instead of writing

Options of browser-schema:
  --schema <file>     the module that exports resourceSchema (required)
  --resources <file>  the module that exports resources, or none where there is no such option (required)
  --output <file>     the .ts file to write (required)
  --grants <names>    grants of the callers whom the front end is for, e.g. hr,staff; default: none

Options of openapi:
  --app <file>            the compiled module of your application, e.g. dist/app.module.js (required)
  --out <file>            the .json file to write (required)
  --grants <names>        grants of the callers whom the document is for, e.g. hr,staff; default: none
  --title <text>          default: API
  --version <text>        version of your API; default: 1.0
  --global-prefix <path>  what main.ts passes to app.setGlobalPrefix; default: none

As a Prisma generator (started by \`prisma generate\`), in the Prisma schema:

  generator resourceApi {
    provider = "nestjs-resource-api"
    output   = "../generated/resource-schema.ts"
  }`);
  return 0;
}

/** Runs `init`, which is loaded on demand, as `surface` is. */
async function init(args: readonly string[], terminal: Terminal): Promise<number> {
  const { runInit } = await import('./init/run-init.js');
  return runInit(args, terminal);
}

/** Runs `surface`, which is loaded on demand, because Prisma starts this program for every `prisma generate`. */
async function surface(args: readonly string[], terminal: Terminal): Promise<number> {
  const { runSurface } = await import('./run-surface.js');
  return runSurface(args, terminal);
}

/** Runs `browser-schema`, which is loaded on demand, as `surface` is. */
async function browserSchema(args: readonly string[], terminal: Terminal): Promise<number> {
  const { runBrowserSchema } = await import('./browser-schema.js');
  return runBrowserSchema(args, terminal);
}

/** Runs `openapi`, which is loaded on demand, as `surface` is. */
async function openapi(args: readonly string[], terminal: Terminal): Promise<number> {
  const { runOpenApi } = await import('./run-openapi.js');
  return runOpenApi(args, terminal);
}

async function printVersion(_args: readonly string[], terminal: Terminal): Promise<number> {
  terminal.log(await packageVersion());
  return 0;
}
