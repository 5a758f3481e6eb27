import { build } from 'esbuild';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generate } from '../../../lib/generator/prisma-generator.js';
import { runCli } from '../../../lib/generator/run-cli.js';
import { generatorOptions } from './generator-options.js';

const ROOT = resolve(import.meta.dirname, '../../..');

const BLOCKS = `
/// Who logs in. bcrypt. again
model User {
  id       Int       @id
  /// bcrypt. @api.hidden
  pinHash  String
  /// Their legal name.
  name     String
  notes    Note[]
  sessions Session[]
  audits   Audit[]
}

/// @api.hidden
model Session {
  token  String @id
  user   User   @relation(fields: [userId], references: [id], onDelete: Cascade)
  userId Int
}

model Note {
  id       Int   @id @map("note_column")
  author   User? @relation(fields: [authorId], references: [id], onDelete: Cascade)
  authorId Int?
}

model Audit {
  id      Int  @id
  subject User @relation(fields: [userId], references: [id])
  userId  Int
}

model Plain {
  id Int @id
}
`;

/** The texts that no bundle may contain: hidden names, comments, columns, and fields that are no relation. */
const SECRETS = /bcrypt|pinHash|Session|sessions|legal|note_column|authorId|userId|token|postgresql/i;

const EXPECTED = `export const browserSchema = {
  models: {
    User: {
      fields: {
        notes: { kind: 'relation', type: 'Note' },
      },
    },
    Note: {
      fields: {
        author: { kind: 'relation', type: 'User', optional: true, foreignKey: { onDelete: 'Cascade' } },
      },
    },
    Plain: {
      fields: {},
    },
  },
} as const;
`;

let folder: string;
let schemaFile: string;

function optionsFor(config: Readonly<Record<string, string>>, output = 'resource-schema.ts') {
  return generatorOptions(BLOCKS, join(folder, output), { config, sourceFilePath: join(folder, 'schema.prisma') });
}

async function command(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runCli(['browser-schema', ...args], { log: (text) => out.push(text), error: (text) => err.push(text) });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

/** A page that passes a schema to a mutation, as a web application ships it. */
async function bundleWith(name: string, file: string): Promise<string> {
  const contents = `
    import { QueryClient } from '@tanstack/query-core';
    import { createRpcClient } from './lib/client/index.ts';
    import { mutationOptions } from './lib/tanstack-query/index.ts';
    import { ${name} } from '${file}';
    const api = createRpcClient({ endpoint: '/api/rpc' });
    export const options = mutationOptions((id) => api.user.delete({ where: { id } }), { queryClient: new QueryClient(), schema: ${name} });`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
  });
  return outputFiles[0]?.text ?? '';
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'browser-schema-'));
  await generate(optionsFor({}));
  const source = readFileSync(join(folder, 'resource-schema.ts'), 'utf8');
  schemaFile = join(folder, 'resource-schema.mjs');
  writeFileSync(schemaFile, source.replace(/^import type.*$/m, '').replace(' as const satisfies ResourceSchema', ''));
  writeFileSync(join(folder, 'resources.mjs'), "export const resources = { Audit: 'hidden' };\n");
  const typed =
    "import type { ResourcesOption } from 'nestjs-resource-api/schema';\nexport const resources = { Audit: 'hidden' } as const satisfies ResourcesOption;\n";
  writeFileSync(join(folder, 'resources.ts'), typed);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('the schema for browsers', () => {
  it('has what comments and resources expose, written by the command', async () => {
    const output = join(folder, 'deep/er/browser-schema.ts');
    const resources = join(folder, 'resources.mjs');
    expect(await command('--schema', schemaFile, '--resources', resources, '--output', output)).toEqual({
      code: 0,
      out: `${output} is written.`,
      err: '',
    });
    const text = readFileSync(output, 'utf8');
    expect(text).toContain(EXPECTED);
    expect(text).not.toMatch(/Audit/);
  });

  it('is written by the generator, too, where its block has the option browser', async () => {
    await generate(optionsFor({ browser: './web/browser-schema.ts', resources: './resources.mjs' }));
    expect(readFileSync(join(folder, 'web/browser-schema.ts'), 'utf8')).toContain(EXPECTED);
    await generate(optionsFor({ browser: 'commented.ts', resources: 'none' }));
    const text = readFileSync(join(folder, 'commented.ts'), 'utf8');
    expect(text).toContain("audits: { kind: 'relation', type: 'Audit' },");
    expect(text).toContain("subject: { kind: 'relation', type: 'User', foreignKey: {} },");
  });

  it('has nothing in a bundle that the API hides', async () => {
    const output = join(folder, 'bundled.ts');
    await command('--schema', schemaFile, '--resources', join(folder, 'resources.mjs'), '--output', output);
    const bundle = await bundleWith('browserSchema', output);
    expect(bundle).toContain('author');
    expect(SECRETS.exec(bundle.slice(bundle.indexOf('browserSchema')))?.[0]).toBeUndefined();
    expect(bundle).not.toMatch(/bcrypt|pinHash|Session|Audit/);
    // The same page with the whole schema has the hidden names, so the search above can find them.
    expect(await bundleWith('resourceSchema', join(folder, 'resource-schema.ts'))).toMatch(/bcrypt[^]*Session/);
  });

  it.each([
    [['--output', 'x.ts'], '--schema is missing'],
    [['--schema', 'x.js'], '--output is missing'],
    [['--schema', 'x.js', '--output', 'x.ts'], '--resources is missing: the module that exports the option resources of forRoot'],
    [['--schema', 'no.js', '--output', 'x.ts', '--resources', 'none'], 'no.js cannot be loaded'],
  ])('is not written with %j', async (args, message) => {
    const { code, err } = await command(...args);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });

  it('is not written, nor the other file, where resources lack the option or do not fit', async () => {
    const fail = (config: Readonly<Record<string, string>>) => generate(optionsFor(config, 'not-written.ts'));
    await expect(fail({ browser: 'b.ts' })).rejects.toThrow('resources is missing');
    await expect(fail({ browser: 'b', resources: 'none' })).rejects.toThrow('browser is b; it must be a .ts file.');
    await expect(fail({ browser: 'b.ts', resources: 'absent.mjs' })).rejects.toThrow('absent.mjs cannot be loaded');
    await expect(fail({ browser: 'b.ts', resources: './resource-schema.mjs' })).rejects.toThrow("does not export 'resources'");
    writeFileSync(join(folder, 'wrong.mjs'), "export const resources = { Usr: 'hidden' };\n");
    await expect(fail({ browser: 'b.ts', resources: 'wrong.mjs' })).rejects.toThrow("names 'Usr'");
    expect(() => readFileSync(join(folder, 'not-written.ts'))).toThrow('ENOENT');
  });
});
