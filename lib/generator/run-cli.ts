import { packageVersion } from './package-version.js';

/** Where a command writes: `console` fits. */
export interface Terminal {
  readonly log: (text: string) => void;
  readonly error: (text: string) => void;
}

/** One command of the CLI. */
interface Command {
  /** The words that start it; the first one is shown in the help. */
  readonly names: readonly string[];
  readonly summary: string;
  /** @returns The exit code. */
  readonly run: (args: readonly string[], terminal: Terminal) => Promise<number> | number;
}

/** All commands: a new one is a new row. */
const COMMANDS: readonly Command[] = [
  { names: ['--help', '-h', 'help'], summary: 'print this help', run: printHelp },
  { names: ['--version', '-v', 'version'], summary: 'print the version', run: printVersion },
];

/**
 * Runs the command line `nestjs-resource-api <args>`; without arguments it prints the help.
 *
 * @returns The exit code: 0, what the command says, or 2 for an unknown command.
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name = '--help', ...rest] = args;
  const command = COMMANDS.find(({ names }) => names.includes(name));
  if (command) return command.run(rest, terminal);
  terminal.error(`nestjs-resource-api: unknown command '${name}'. Run nestjs-resource-api --help.`);
  return 2;
}

function printHelp(_args: readonly string[], terminal: Terminal): number {
  const width = Math.max(...COMMANDS.map(({ names }) => names[0]?.length ?? 0));
  const rows = COMMANDS.map(({ names: [name = ''], summary }) => `  ${name.padEnd(width)}  ${summary}`);
  terminal.log(`nestjs-resource-api: REST (JSON:API) and RPC over Prisma models, in NestJS

Usage: nestjs-resource-api <command>

${rows.join('\n')}

As a Prisma generator (started by \`prisma generate\`), in the Prisma schema:

  generator resourceApi {
    provider = "nestjs-resource-api"
    output   = "../generated/resource-schema.ts"
  }`);
  return 0;
}

async function printVersion(_args: readonly string[], terminal: Terminal): Promise<number> {
  terminal.log(await packageVersion());
  return 0;
}
