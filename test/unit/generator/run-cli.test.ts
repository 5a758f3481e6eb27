import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { runCli } from '../../../lib/generator/run-cli.js';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));

async function run(...args: readonly string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(args, { log: (text) => out.push(text), error: (text) => err.push(text) });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

describe('runCli', () => {
  it.each([[[]], [['--help']], [['-h']], [['help']]])('prints the help for %j', async (args) => {
    const { code, out, err } = await run(...args);

    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Usage: nestjs-resource-api <command>');
    expect(out).toMatch(/^ {2}init +add the API/m);
    expect(out).toMatch(/^ {2}surface +write/m);
    expect(out).toMatch(/^ {2}--version +print the version$/m);
    expect(out).toContain('provider = "nestjs-resource-api"');
  });

  it.each(['--version', '-v', 'version'])('prints the version of the package for %s', async (arg) => {
    expect(await run(arg)).toEqual({ code: 0, out: version, err: '' });
  });

  it.each(['surfce', '--constructor', 'toString', ''])('refuses the unknown command %j with code 2', async (arg) => {
    expect(await run(arg)).toEqual({
      code: 2,
      out: '',
      err:
        `nestjs-resource-api: unknown command '${arg}'. The commands are init, surface, browser-schema, openapi, --help, --version.\n` +
        'Usage: nestjs-resource-api <command>; nestjs-resource-api --help tells more.',
    });
  });
});
