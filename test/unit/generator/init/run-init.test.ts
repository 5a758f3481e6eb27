import { rmSync } from 'node:fs';
import { runCli } from '../../../../lib/generator/run-cli.js';
import { type Files, NestProject, type ProjectOptions, SCHEMA } from './nest-project.js';

const MODULE = 'src/resource-api/resource-api.module.ts';
const BLOCK = `generator resourceApi {
  provider = "nestjs-resource-api"
  output   = "../src/generated/resource-schema.ts"
}`;

const projects: NestProject[] = [];

function project(files: Files = {}, options: ProjectOptions = {}): NestProject {
  const made = new NestProject(files, options);
  projects.push(made);
  return made;
}

afterEach(() => {
  for (const { root } of projects.splice(0)) rmSync(root, { recursive: true });
});

describe('nestjs-resource-api init', () => {
  it('adds the generator, generates, writes the module, and imports it', async () => {
    const app = project();

    const { code, out, err } = await app.init();

    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(app.read('prisma/schema.prisma')).toBe(SCHEMA.replace('\n\ndatasource', `\n\n${BLOCK}\n\ndatasource`));
    expect(app.generated).toBe(1);
    expect(app.read(MODULE)).toBe(`import { Module } from '@nestjs/common';
import { ResourceApiModule, withSql } from 'nestjs-resource-api';
import { Pool } from 'pg';
import { resourceSchema } from '../generated/resource-schema';
import { PrismaModule } from '../prisma/prisma.module';
import { PrismaService } from '../prisma/prisma.service';

/**
 * The models of the Prisma schema: REST (JSON:API) at /api/rest, RPC at /api/rpc.
 * All options: node_modules/nestjs-resource-api/docs/options.md
 */
@Module({
  imports: [
    ResourceApiModule.forRootAsync({
      imports: [PrismaModule],
      inject: [PrismaService],
      rest: { prefix: 'api/rest' },
      rpc: { prefix: 'api/rpc' },
      useFactory: (prisma: PrismaService) => {
        // Each read of the API, and each write of one record, is one SQL statement.
        const pool = new Pool({
          connectionString: process.env.DATABASE_URL,
          statement_timeout: 5_000,
          allowExitOnIdle: true,
        });
        const sqlClient = withSql(prisma, { pool, writes: true });
        return {
          schema: resourceSchema,
          getClient: () => sqlClient,
          rest: {
            // The base of every link: the URL under which clients reach the REST API.
            endpoint: \`\${process.env.PUBLIC_URL ?? \`http://localhost:\${process.env.PORT ?? 3000}\`}/api/rest\`,
          },
          // What is open. Everything else is closed, and so is each model that you add later.
          resources: {
            '*': 'hidden',
            BlogPost: {},
          },
        };
      },
    }),
  ],
})
export class AppResourceApiModule {}
`);
    expect(app.read('src/app.module.ts')).toBe(`import { Module } from '@nestjs/common';
import { PrismaModule } from './prisma/prisma.module';
import { AppResourceApiModule } from './resource-api/resource-api.module';

@Module({
  imports: [PrismaModule, AppResourceApiModule],
})
export class AppModule {}
`);
    expect(out).toBe(`prisma/schema.prisma (changed): the generator resourceApi
prisma generate: wrote src/generated/resource-schema.ts
${MODULE} (new): REST at /api/rest, RPC at /api/rpc
src/app.module.ts (changed): imports AppResourceApiModule

Exposed to every client that reaches the API: BlogPost.
Not exposed: every model that you add later.
The list is \`resources\` in the API module. Before others can reach the API, say who may call it: guards and rules (node_modules/nestjs-resource-api/docs/security.md).

Start your application (npm run start:dev), then:

  curl http://localhost:3000/api/rest/blogPost
  curl http://localhost:3000/api/rpc/blogPost/findMany`);
  });

  it('changes nothing when it is run again', async () => {
    const app = project();
    await app.init();
    const before = app.files();

    expect(await app.init()).toMatchObject({
      code: 0,
      out: 'There is nothing to do: the generator, the generated schema and the module are there.',
      err: '',
    });
    expect(app.files()).toEqual(before);
    expect(app.generated).toBe(1);
  });

  it('keeps a module that was edited since, under its name', async () => {
    const app = project();
    await app.init();
    const own = app.read(MODULE).replace('AppResourceApiModule', 'HttpModule');
    app.write(MODULE, own);
    app.write('src/app.module.ts', "import { Module } from '@nestjs/common';\n\n@Module({})\nexport class AppModule {}\n");

    expect((await app.init()).code).toBe(0);
    expect(app.read(MODULE)).toBe(own);
    expect(app.read('src/app.module.ts')).toContain("import { HttpModule } from './resource-api/resource-api.module';");
    expect(app.read('src/app.module.ts')).toContain('@Module({ imports: [HttpModule] })');
  });

  it('prints what it would write, and writes nothing, with --dry-run', async () => {
    const app = project();
    const before = app.files();

    const { code, out, err } = await app.init('--dry-run');

    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(app.files()).toEqual(before);
    expect(app.generated).toBe(0);
    expect(out).toContain(`prisma/schema.prisma (changed): the generator resourceApi\n\n+ ${BLOCK.replaceAll('\n', '\n+ ')}`);
    expect(out).toContain('prisma generate: writes src/generated/resource-schema.ts');
    expect(out).toContain(`${MODULE} (new): REST at /api/rest, RPC at /api/rpc\n\n+ import { Module } from '@nestjs/common';`);
    expect(out).toContain('-   imports: [PrismaModule],\n+   imports: [PrismaModule, AppResourceApiModule],\n\n');
    expect(out).toMatch(/This was a dry run: nothing is written\.$/);
  });

  it('leaves a project alone that imports ResourceApiModule already', async () => {
    const app = project();
    await app.init();
    rmSync(`${app.root}/src/resource-api`, { recursive: true });
    const own = `import { Module } from '@nestjs/common';
import { ApiError, ResourceApiModule } from "nestjs-resource-api";

@Module({ imports: [ResourceApiModule.forRoot(options)] })
export class AppModule {}
`;
    app.write('src/app.module.ts', own);
    expect((await app.init()).out).toContain('There is nothing to do');
    expect(app.read('src/app.module.ts')).toBe(own);
  });

  it('adds the API where main.ts has setupDocs alone, and leaves that as it is', async () => {
    const main = `import { NestFactory } from '@nestjs/core';
import { ResourceApiModule } from 'nestjs-resource-api';
import { AppModule } from './app.module';

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  await ResourceApiModule.setupDocs(app, { path: 'docs' });
  await app.listen(3000);
}
bootstrap();
`;
    const app = project({ 'src/main.ts': main });
    expect((await app.init()).code).toBe(0);
    expect(app.read(MODULE)).toContain('export class AppResourceApiModule');
    expect(app.read('src/app.module.ts')).toContain('imports: [PrismaModule, AppResourceApiModule]');
    expect(app.read('src/main.ts')).toBe(main);
  });

  it('prints what to paste where it cannot parse the application module, and does the rest', async () => {
    const app = project({
      'src/app.module.ts': "import { Module } from '@nestjs/common';\n\n@Module(metadata)\nexport class AppModule {}\n",
    });

    const { code, out, err } = await app.init();

    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`
To do, before the application can run:

- src/app.module.ts is left as it is: the argument of @Module() of AppModule is no object literal. Add this to it yourself:

import { AppResourceApiModule } from './resource-api/resource-api.module';

@Module({
  imports: [AppResourceApiModule], // beside what is there
})`);
    expect(app.read(MODULE)).toContain('export class AppResourceApiModule');
    expect(app.generated).toBe(1);
  });

  it.each<[problem: string, files: Files, args: readonly string[], message: string]>([
    ['there is no package.json', { 'package.json': undefined }, [], 'There is no package.json here.'],
    ['package.json is broken', { 'package.json': '{' }, [], '/package.json is no valid JSON.'],
    ['there is no Prisma schema', { 'prisma/schema.prisma': undefined }, [], 'There is no Prisma schema here'],
    ['there is no application module', { 'src/app.module.ts': undefined }, [], 'There is no src/app.module.ts.'],
    ['--module names nothing', {}, ['--module', 'src/api.module.ts'], 'There is no src/api.module.ts.'],
  ])('stops before it writes anything where %s', async (_problem, files, args, message) => {
    const app = project(files);
    const before = app.files();

    const { code, err } = await app.init(...args);

    expect(code).toBe(1);
    expect(err).toContain(`nestjs-resource-api init: ${message}`);
    expect(app.files()).toEqual(before);
  });

  it('stops in a project without NestJS', async () => {
    expect(await project({}, { hasPackages: false }).init()).toMatchObject({
      code: 1,
      err: expect.stringContaining('This is no NestJS project: @nestjs/core is not installed.') as string,
    });
  });

  it('refuses options that do not exist with code 2 and its usage', async () => {
    const app = project();
    const { code, err } = await app.init('--dryrun');
    expect(code).toBe(2);
    expect(err).toContain("Unknown option '--dryrun'");
    expect(err).toContain('Usage: nestjs-resource-api init [--dry-run] [--module src/app.module.ts]');
    expect(app.generated).toBe(0);
  });

  it('is a command of the CLI', async () => {
    const err: string[] = [];
    expect(await runCli(['init', '--nonsense'], { log: () => undefined, error: (text) => err.push(text) })).toBe(2);
    expect(err.join()).toContain('nestjs-resource-api init:');
  });
});
