import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInit } from '../../../../lib/generator/init/run-init.js';

const NODE_MODULES = fileURLToPath(new URL('../../../../node_modules', import.meta.url));

/** The files of a project by their paths; `undefined` removes one of the usual ones. */
export type Files = Readonly<Record<string, string | undefined>>;

export const SCHEMA = `generator client {
  provider = "prisma-client"
  output   = "../src/generated/prisma"
}

datasource db {
  provider = "postgresql"
}

model BlogPost {
  id    Int    @id
  title String
}
`;

/** A project as the CommonJS template of Nest's CLI makes it, with Prisma as the recipe in Nest's documentation sets it up. */
const USUAL: Files = {
  'package.json': '{ "name": "app" }',
  'prisma/schema.prisma': SCHEMA,
  'src/main.ts': `import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  await app.listen(process.env.PORT ?? 3000);
}
bootstrap();
`,
  'src/app.module.ts': `import { Module } from '@nestjs/common';
import { PrismaModule } from './prisma/prisma.module';

@Module({
  imports: [PrismaModule],
})
export class AppModule {}
`,
  'src/prisma/prisma.service.ts': `import { Injectable } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../generated/prisma/client';

@Injectable()
export class PrismaService extends PrismaClient {
  constructor() {
    super({ adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL, statement_timeout: 5_000 }) });
  }
}
`,
  'src/prisma/prisma.module.ts': `import { Module } from '@nestjs/common';
import { PrismaService } from './prisma.service';

@Module({ providers: [PrismaService], exports: [PrismaService] })
export class PrismaModule {}
`,
};

/** The packages of a complete project. */
const PACKAGES = [
  '@nestjs/core',
  '@nestjs/swagger',
  '@prisma/adapter-pg',
  '@prisma/client',
  '@prisma/config',
  '@types/pg',
  'pg',
  'prisma',
  'typescript',
] as const;

/** The versions of packages that replace those of this repository; `undefined` removes one. */
export type Packages = Readonly<Record<string, string | undefined>>;

export interface ProjectOptions {
  readonly hasPackages?: boolean;
  readonly packages?: Packages;
  readonly environment?: NodeJS.ProcessEnv;
}

/** The output of a run. */
export interface InitRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Both, in their order. */
  readonly all: string;
}

/** A project on disk; its packages are those of this repository. */
export class NestProject {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'init-')));
  /** How often `prisma generate` was run. */
  generated = 0;

  private readonly environment: NodeJS.ProcessEnv;

  constructor(
    files: Files = {},
    { hasPackages = true, packages, environment = { DATABASE_URL: 'postgresql://db/app' } }: ProjectOptions = {},
  ) {
    this.environment = environment;
    for (const [name, text] of Object.entries({ ...USUAL, ...files })) if (text !== undefined) this.write(name, text);
    if (packages) this.install(packages);
    else if (hasPackages) symlinkSync(NODE_MODULES, join(this.root, 'node_modules'));
  }

  async init(...args: readonly string[]): Promise<InitRun> {
    const out: string[] = [];
    const err: string[] = [];
    const all: string[] = [];
    const terminal = {
      log: (text: string) => void [out, all].map((lines) => lines.push(text)),
      error: (text: string) => void [err, all].map((lines) => lines.push(text)),
    };
    const { environment } = this;
    const code = await runInit(args, terminal, { root: this.root, generate: () => this.generate(), environment });
    return { code, out: out.join('\n'), err: err.join('\n').replaceAll(this.root, ''), all: all.join('\n').replaceAll(this.root, '') };
  }

  read(name: string): string {
    return readFileSync(join(this.root, name), 'utf8');
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.root, name)), { recursive: true });
    writeFileSync(join(this.root, name), text);
  }

  /** All files but those of packages, by their paths. */
  files(): Files {
    return Object.fromEntries(this.namesIn('').map((name) => [name, this.read(name)]));
  }

  /** Without a recursive `readdirSync`, which would read all packages of this repository. */
  private namesIn(folder: string): readonly string[] {
    if (folder === 'node_modules') return [];
    return readdirSync(join(this.root, folder), { withFileTypes: true }).flatMap((entry) => {
      const name = join(folder, entry.name);
      if (entry.isDirectory()) return this.namesIn(name);
      return entry.isFile() ? [name] : [];
    });
  }

  /** Packages of this repository, but for those that are named: they have a version and nothing else, or are not there. */
  private install(packages: Packages): void {
    for (const name of PACKAGES.filter((each) => !(each in packages))) {
      mkdirSync(dirname(join(this.root, 'node_modules', name)), { recursive: true });
      symlinkSync(join(NODE_MODULES, name), join(this.root, 'node_modules', name));
    }
    for (const [name, version] of Object.entries(packages)) {
      if (version !== undefined) this.write(`node_modules/${name}/package.json`, JSON.stringify({ name, version }));
    }
  }

  /** Writes a file in place of the generator's. `init` checks only that it exists. */
  private generate(): Promise<void> {
    this.generated += 1;
    const [, output = ''] = /generator resourceApi \{[^}]*output\s*=\s*"([^"]+)"/.exec(this.schemaText()) ?? [];
    this.write(join(dirname(this.schemaPath()), output), 'export const resourceSchema = {};\n');
    return Promise.resolve();
  }

  private schemaPath(): string {
    const found = Object.entries(this.files()).find(([name, text]) => name.endsWith('.prisma') && text?.includes('generator resourceApi'));
    return found?.[0] ?? 'none';
  }

  private schemaText(): string {
    return this.read(this.schemaPath());
  }
}
