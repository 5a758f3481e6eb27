import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { printSchema } from '../../../lib/generator/print-schema.js';
import { generate, getManifest } from '../../../lib/generator/prisma-generator.js';
import { readSchema, schemaText } from './describe-schema.js';
import { generatorOptions } from './generator-options.js';

const BLOCKS = 'model User {\n  id Int @id\n  name String\n}\n';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'resource-schema-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('getManifest', () => {
  it('names the generator, its version, and a place beside the schema', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));

    expect(await getManifest()).toEqual({ prettyName: 'Resource API schema', version, defaultOutput: 'generated/resource-schema.ts' });
  });
});

describe('generate', () => {
  it.each([
    ['a .ts file', 'a/b/schema.ts', 'a/b/schema.ts'],
    ['an .mts file', 'a/schema.mts', 'a/schema.mts'],
    ['a directory', 'c/d', 'c/d/resource-schema.ts'],
    ['a directory with a dot in its name', 'e/v1.2', 'e/v1.2/resource-schema.ts'],
  ])('writes to %s, making its folders', async (_case, output, file) => {
    await generate(generatorOptions(BLOCKS, join(folder, output)));

    const hash = createHash('sha256').update(schemaText(BLOCKS)).digest('hex');
    const { version, ...schema } = readSchema(schemaText(BLOCKS));
    expect(readFileSync(join(folder, file), 'utf8')).toBe(printSchema({ version, hash, ...schema }));
  });

  it('replaces what it wrote before', async () => {
    const output = join(folder, 'again');
    await generate(generatorOptions(`${BLOCKS}enum Color {\n  RED\n}\n`, output));
    await generate(generatorOptions(BLOCKS, output));

    expect(readFileSync(join(output, 'resource-schema.ts'), 'utf8')).toContain('enums: {},');
  });

  it.each(['schema.js', 'schema.cjs', 'schema.json', 'schema.d.ts', 'schema.d.mts', 'schema.tsx'])(
    'refuses the output %s',
    async (output) => {
      await expect(generate(generatorOptions(BLOCKS, `/x/${output}`))).rejects.toThrow(
        `output names /x/${output}; it must be a .ts file or a directory.`,
      );
    },
  );

  it('rejects a generator block without an output', async () => {
    await expect(generate(generatorOptions(BLOCKS, null))).rejects.toThrow('The generator block has no output. Add one');
  });

  it('writes nothing where a comment has no effect, and prints the comment', async () => {
    const output = join(folder, 'lost');
    const blocks = BLOCKS.replace('String', 'String // @api.hidden');

    await expect(generate(generatorOptions(blocks, output))).rejects.toThrow(
      'These comments are attached to no model and no field, so they would change nothing:\n  name String // @api.hidden\nWrite them with three slashes',
    );
    expect(readdirSync(folder)).not.toContain('lost');
  });
});
