import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { printSchema } from '../../../lib/generator/print-schema.js';
import { snippetsOf } from '../../docs/page-snippets.js';
import { EVERYTHING, manyModels, readSchema, schemaText } from './describe-schema.js';
import { sample } from '../../support/sample.js';
import { NestProject } from './init/nest-project.js';
import { typeCheck } from './type-check.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const GENERATOR = 'generator resourceApi {\n  provider = "nestjs-resource-api"\n  output   = "../generated/schema.ts"\n}\n';
const TIMEOUT = 30_000;
const MODELS = sample.choose(60, 300);

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'nestjs-resource-api-'));
  installPackage();
}, TIMEOUT);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Compiles the generator from the sources, and not from `dist`, and links its bin as npm does. */
function installPackage(): void {
  const target = join(folder, 'package');
  compile(join(ROOT, 'lib/generator/bin.ts'), target);
  copyFileSync(join(ROOT, 'package.json'), join(target, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(target, 'node_modules'));
  const bin = join(target, 'dist/generator/bin.js');
  chmodSync(bin, 0o755);
  mkdirSync(join(folder, 'bin'));
  symlinkSync(bin, join(folder, 'bin/nestjs-resource-api'));
}

/** Compiles a source, and each file of the package that it imports. */
function compile(source: string, target: string): void {
  const file = join(target, 'dist', relative(join(ROOT, 'lib'), source).replace(/\.ts$/, '.js'));
  if (existsSync(file)) return;
  const { outputText } = ts.transpileModule(readFileSync(source, 'utf8'), {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true },
  });
  write(file, outputText);
  for (const { fileName } of ts.preProcessFile(outputText).importedFiles) {
    if (fileName.startsWith('.')) compile(join(dirname(source), fileName.replace(/\.js$/, '.ts')), target);
  }
}

/** Removes what the generator reads in the text of the Prisma schema. `readSchema` reads Prisma's description alone. */
function withoutText(source: string): string {
  return source.replaceAll(/^ {2}hash: .*\n|^ {6}ignored: .*\n/gm, '');
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Runs a program in a project of the folder, with the bin on its path. */
function run(project: string, command: string, ...args: readonly string[]) {
  return spawnSync(command, args, {
    cwd: join(folder, project),
    encoding: 'utf8',
    timeout: TIMEOUT,
    env: {
      PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      HOME: folder,
      CHECKPOINT_DISABLE: '1',
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      // Prisma 7 requires the file of its schema engine, which `generate` never runs.
      PRISMA_SCHEMA_ENGINE_BINARY: join(ROOT, 'package.json'),
    },
  });
}

/** Runs `prisma generate` on the schema files of a project, our generator alone. */
function prismaGenerate(project: string, schema: Readonly<Record<string, string>>) {
  for (const [file, text] of Object.entries(schema)) write(join(folder, project, 'prisma', file), text);
  return run(
    project,
    process.execPath,
    join(ROOT, 'node_modules/prisma/build/index.js'),
    'generate',
    '--schema',
    'prisma',
    '--generator',
    'resourceApi',
  );
}

describe('bin, started by prisma generate', () => {
  sample.omitted.it(
    'writes the metadata of a schema in several files beside it, as a file that type-checks',
    () => {
      const models = EVERYTHING.text.indexOf('/// Every scalar type');
      const { status, stdout, stderr } = prismaGenerate('several', {
        'schema.prisma': EVERYTHING.text.slice(0, models),
        'models.prisma': EVERYTHING.text.slice(models),
      });
      const file = join(folder, 'several/prisma/generated/resource-schema.ts');

      expect({ status, stderr }).toMatchObject({ status: 0 });
      expect(stdout).toContain('Generated Resource API schema');
      const source = readFileSync(file, 'utf8');
      expect(withoutText(source)).toBe(printSchema(EVERYTHING.schema));
      expect(typeCheck({ [basename(file)]: source }).errors).toEqual([]);
    },
    TIMEOUT,
  );

  sample.omitted.it(
    `writes the metadata of ${MODELS} models to the output of the generator block`,
    () => {
      const { status, stderr } = prismaGenerate('many', { 'schema.prisma': GENERATOR + manyModels(MODELS) });

      expect({ status, stderr }).toMatchObject({ status: 0 });
      const source = readFileSync(join(folder, 'many/generated/schema.ts'), 'utf8');
      expect(withoutText(source)).toBe(printSchema(readSchema(manyModels(MODELS))));
    },
    TIMEOUT,
  );

  sample.omitted.it(
    'makes prisma generate fail with one clear sentence, and writes nothing',
    () => {
      const blocks = 'model User {\n  id   Int    @id\n  hash String /// @api.hiden\n}\n';
      const { status, stderr } = prismaGenerate('wrong', { 'schema.prisma': GENERATOR + schemaText(blocks) });

      expect(status).toBe(1);
      expect(stderr).toContain(
        'User.hash has @api.hiden, which means nothing there. Known: @api.hidden, @api.readOnly, @api.writeOnly, @api.immutable.',
      );
      expect(stderr).not.toContain('    at ');
      expect(existsSync(join(folder, 'wrong/generated'))).toBe(false);
    },
    TIMEOUT,
  );
});

describe('bin, started by hand', () => {
  it('is a command line', () => {
    expect(run('.', 'nestjs-resource-api')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Usage: nestjs-resource-api <command>'),
    });
    expect(run('.', 'nestjs-resource-api', 'nonsense')).toMatchObject({ status: 2, stdout: '' });
  });

  it('is a command line under Prisma, too, where it has arguments', () => {
    const { status, stdout } = run('.', 'env', 'PRISMA_GENERATOR_INVOCATION=true', 'nestjs-resource-api', '--version');

    expect({ status, stdout }).toEqual({ status: 0, stdout: `${JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version}\n` });
  });

  it(
    'reads the resources of front ends from sources with imports and decorators, as the page has them',
    () => {
      const schema = join(folder, 'web/resource-schema.ts');
      write(schema, readFileSync(join(ROOT, 'test/support/generated/resource-schema.ts'), 'utf8'));
      const [resources = ''] = snippetsOf(join(ROOT, 'docs/tanstack-query.md')).filter((snippet) => snippet.includes('granted'));
      write(join(folder, 'web/resources.ts'), resources.replaceAll(/^ {2}/gm, ''));
      const dto =
        "import { IsEmail } from 'class-validator';\nimport { Base } from './base';\nexport class CreateUserDto extends Base {\n  @IsEmail() email!: string;\n}\n";
      write(join(folder, 'web/dto/create-user.dto.ts'), dto);
      write(join(folder, 'web/dto/base.ts'), 'enum Kind { A }\nexport class Base {\n  constructor(readonly kind = Kind.A) {}\n}\n');
      compile(join(ROOT, 'lib/index.ts'), join(folder, 'package'));
      mkdirSync(join(folder, 'web/node_modules'));
      symlinkSync(join(folder, 'package'), join(folder, 'web/node_modules/nestjs-resource-api'));
      for (const name of ['class-validator', 'typescript'])
        symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'web/node_modules', name));
      const modelsFor = (...grants: readonly string[]): readonly (string | undefined)[] => {
        const files = ['--schema', schema, '--resources', join(folder, 'web/resources.ts'), '--output', join(folder, 'web/browser.ts')];
        expect(run('web', 'nestjs-resource-api', 'browser-schema', ...files, ...grants)).toMatchObject({ status: 0, stderr: '' });
        return [...readFileSync(join(folder, 'web/browser.ts'), 'utf8').matchAll(/^ {4}(\w+): \{$/gm)].map(([, name]) => name);
      };
      expect(modelsFor()).toEqual(expect.arrayContaining(['User', 'Post']));
      expect(modelsFor()).not.toEqual(expect.arrayContaining(['Comment']));
      expect(modelsFor('--grants', 'hr')).toEqual(expect.arrayContaining(['User', 'Post', 'Comment']));
      expect(modelsFor('--grants', 'hr')).not.toContain('Tag');
    },
    TIMEOUT,
  );

  sample.omitted.it('prints at init that nothing but the configuration of Prisma, which init itself loads, loads .env', () => {
    const app = new NestProject({
      '.env': 'DATABASE_URL=postgresql://db/app\n',
      'prisma.config.ts': "process.loadEnvFile('.env');\nexport default { schema: 'prisma/schema.prisma' };\n",
    });
    const { status, stdout, stderr } = run(relative(folder, app.root), 'nestjs-resource-api', 'init', '--dry-run');
    rmSync(app.root, { recursive: true });

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('DATABASE_URL is in .env, which nothing loads');
  });
});
