import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { browserSchemaOf, loadResources, printBrowserSchema } from './browser-schema.js';
import { messageOf } from './error-text.js';
import { loadSchema } from './load-surface.js';
import type { Terminal } from './terminal.js';

/**
 * The command `browser-schema`: writes the schema that front ends bundle.
 *
 * @returns the exit code: 0, or 2 when it cannot be written
 */
export async function runBrowserSchema(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const { schema, resources, output } = readOptions(args);
    const option = await loadResources(resources, '--resources');
    await writeBrowserSchema(output, printBrowserSchema(browserSchemaOf(await loadSchema(schema), option)));
    terminal.log(`${output} is written.`);
    return 0;
  } catch (error) {
    terminal.error(`nestjs-resource-api browser-schema: ${messageOf(error)}`);
    return 2;
  }
}

/** Makes its folders. */
export async function writeBrowserSchema(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

interface Options {
  readonly schema: string;
  readonly resources: string | undefined;
  readonly output: string;
}

function readOptions(args: readonly string[]): Options {
  const options = { schema: { type: 'string' }, resources: { type: 'string' }, output: { type: 'string' } } as const;
  const { schema, resources, output } = parseArgs({ args: [...args], options }).values;
  if (schema === undefined) throw new Error('--schema is missing: the module that exports resourceSchema.');
  if (output === undefined) throw new Error('--output is missing: the .ts file to write.');
  return { schema, resources, output };
}
