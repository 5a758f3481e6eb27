import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ENVIRONMENT } from './matrix/nest-project.js';
import { blocksOf, sectionOf } from './support/quick-start-page.js';

const execute = promisify(execFile);

/** The version that `npm install prisma` will install after the release of Prisma 8, a rewrite without generators. */
const PRISMA_8 = 'prisma@8.0.0-rc.19';

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "app", "private": true, "type": "module" }\n',
  'prisma/schema.prisma': `generator client {
  provider = "prisma-client"
  output   = "../src/generated/prisma"
}

datasource db {
  provider = "postgresql"
}

model User {
  id           Int    @id
  passwordHash String
}
`,
  'src/main.ts': `import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';

const app = await NestFactory.create(AppModule);
await app.listen(process.env.PORT ?? 3000);
`,
  'src/app.module.ts': `import { Module } from '@nestjs/common';

@Module({ imports: [] })
export class AppModule {}
`,
  'src/prisma.ts': `import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/prisma/client.js';

export const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL, statement_timeout: 5_000 }) });
`,
};

const TARBALL = process.env['PACKED_TARBALL'] ?? '';
const PACKAGES = ['@nestjs/common@12', '@nestjs/core@12', '@prisma/adapter-pg@7', 'reflect-metadata', 'rxjs'];

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nestjs-resource-api-prisma-8-'));
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  await run('npm', 'install', '--save-dev', PRISMA_8, 'typescript@6');
}, 600_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a project with Prisma 8', () => {
  it('cannot install the package, because npm reports that it needs Prisma 7', async () => {
    await expect(run('npm', 'install', TARBALL)).rejects.toThrow(/peerOptional prisma@"\^7" from nestjs-resource-api/);
    expect(existsSync(join(folder, 'node_modules/nestjs-resource-api'))).toBe(false);
  }, 300_000);

  it('is rejected by init, which prints the packages to install and writes nothing', async () => {
    await run('npm', 'install', '--legacy-peer-deps', TARBALL, ...PACKAGES);
    await expect(init()).rejects.toThrow(
      /This package needs Prisma 7, and Prisma 8\.0\.0-rc\.19 is installed here[\s\S]*npm install --save-dev prisma@7[\s\S]*npx prisma7 generate/,
    );
    for (const [name, text] of Object.entries(FILES).filter(([each]) => each !== 'package.json')) {
      expect(await readFile(join(folder, name), 'utf8')).toBe(text);
    }
    expect(existsSync(join(folder, 'src/resource-api'))).toBe(false);
  }, 600_000);

  it('serves the API after the commands of the page, which install Prisma 7 beside', async () => {
    const [commands = ''] = blocksOf(sectionOf(readFileSync('docs/command-line.md', 'utf8'), 'What it checks'), 'sh');
    await run('sh', '-ec', commands);
    const printed = await init();
    expect(printed).toContain('prisma7 generate: wrote src/generated/resource-schema.ts');
    expect(printed).toContain('Not exposed: User.passwordHash (its name says secret)');
    await rm(join(folder, 'src/generated'), { recursive: true });
    await run('npx', 'prisma7', 'generate');
    expect(await readFile(join(folder, 'src/generated/resource-schema.ts'), 'utf8')).toContain('passwordHash');
    const { version } = JSON.parse(await readFile(join(folder, 'node_modules/prisma/package.json'), 'utf8')) as {
      readonly version: string;
    };
    expect(version).toBe('8.0.0-rc.19');
  }, 600_000);
});

function init(): Promise<string> {
  return run('npx', 'nestjs-resource-api', 'init');
}

/** @throws with all that it printed */
async function run(file: string, ...args: readonly string[]): Promise<string> {
  const env = { ...ENVIRONMENT, PRISMA_SCHEMA_ENGINE_BINARY: 'package.json', DATABASE_URL: 'postgresql://db/app', npm_config_yes: 'true' };
  try {
    return (await execute(file, [...args], { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${[file, ...args].join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}
