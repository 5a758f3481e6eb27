import { rmSync } from 'node:fs';
import { type Files, NestProject, SCHEMA } from './nest-project.js';

const MODULE = 'src/resource-api/resource-api.module.ts';
const BLOCK = `generator resourceApi {
  provider = "nestjs-resource-api"
  output   = "../src/generated/resource-schema.ts"
}`;

const projects: NestProject[] = [];

function project(files: Files = {}): NestProject {
  const made = new NestProject(files);
  projects.push(made);
  return made;
}

afterEach(() => {
  for (const { root } of projects.splice(0)) rmSync(root, { recursive: true });
});

describe('nestjs-resource-api init', () => {
  describe('reads of the project', () => {
    it('that its imports end with .js, in an ES module', async () => {
      const app = project({
        'package.json': '{ "type": "module" }',
        'src/app.module.ts': "import { Module } from '@nestjs/common';\n\n@Module({})\nexport class AppModule {}\n",
      });
      expect((await app.init()).code).toBe(0);
      expect(app.read(MODULE)).toContain("from '../prisma/prisma.service.js'");
      expect(app.read('src/app.module.ts')).toContain("from './resource-api/resource-api.module.js'");
    });

    it.each(['.js', '.ts', ''])('that its own imports end with %j, whichever type package.json has', async (extension) => {
      const app = project({
        'src/app.module.ts': `import { Module } from '@nestjs/common';\nimport { A } from './a${extension}';\n\n@Module({ imports: [A] })\nexport class AppModule {}\n`,
      });
      expect((await app.init()).code).toBe(0);
      expect(app.read(MODULE)).toContain(`from '../generated/resource-schema${extension}'`);
    });

    it('the global prefix, the port, and how it reads the environment', async () => {
      const app = project({
        'src/main.ts': `import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';
const app = await NestFactory.create(AppModule);
app.setGlobalPrefix('/v1/');
await app.listen(8080, '0.0.0.0');
`,
      });
      const { out } = await app.init();
      expect(app.read(MODULE)).toContain("rest: { prefix: 'rest' },\n      rpc: { prefix: 'rpc' },");
      expect(app.read(MODULE)).toContain("endpoint: 'http://localhost:8080/v1/rest',");
      expect(out).toContain('curl http://localhost:8080/v1/rpc/blogPost/findMany');
    });

    it('the module that main.ts starts, on Fastify too', async () => {
      const app = project({
        'src/main.ts': `import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { RootModule } from './root/root.module.js';
const app = await NestFactory.create<NestFastifyApplication>(RootModule, new FastifyAdapter());
await app.listen({ port: Number(process.env['PORT'] ?? 4000), host: '0.0.0.0' });
`,
        'src/app.module.ts': undefined,
        'src/root/root.module.ts':
          "import { Module } from '@nestjs/common';\nimport '../x.js';\n\n@Module({ imports: [] })\nexport class RootModule {}\n",
      });
      expect((await app.init()).code).toBe(0);
      expect(app.read('src/root/root.module.ts')).toContain('@Module({ imports: [AppResourceApiModule] })');
      expect(app.read('src/root/resource-api/resource-api.module.ts')).toContain(
        "endpoint: `${process.env['PUBLIC_URL'] ?? `http://localhost:${process.env['PORT'] ?? 4000}`}/api/rest`",
      );
      expect(app.read('prisma/schema.prisma')).toContain('"../src/root/generated/resource-schema.ts"');
    });

    it('the module that --module names, and the source folder of nest-cli.json', async () => {
      const app = project({
        'nest-cli.json': '{ "sourceRoot": "apps/api/src" }',
        'apps/api/src/api.module.ts': "import { Module } from '@nestjs/common';\n\n@Module({ imports: [] })\nexport class ApiModule {}\n",
        'apps/api/src/db.ts': "import { PrismaClient } from './prisma';\nexport const db = new PrismaClient({ log: [] });\n",
      });
      expect((await app.init('--module', 'apps/api/src/api.module.ts')).code).toBe(0);
      expect(app.read('apps/api/src/api.module.ts')).toContain('imports: [AppResourceApiModule]');
      expect(app.read('prisma/schema.prisma')).toContain('"../apps/api/src/generated/resource-schema.ts"');
    });
  });

  describe('finds the Prisma schema', () => {
    const CONFIG = (schema: string) => `export default { schema: '${schema}' };\n`;

    it.each<[place: string, files: Files, schema: string, output: string]>([
      ['in schema.prisma', { 'schema.prisma': SCHEMA, 'prisma/schema.prisma': undefined }, 'schema.prisma', 'src/generated'],
      [
        'where package.json says',
        { 'package.json': '{ "prisma": { "schema": "db/my.prisma" } }', 'db/my.prisma': SCHEMA },
        'db/my.prisma',
        '../src/generated',
      ],
      [
        'where prisma.config.ts says',
        { 'prisma.config.ts': CONFIG('db/my.prisma'), 'db/my.prisma': SCHEMA },
        'db/my.prisma',
        '../src/generated',
      ],
      [
        'in the folder that prisma.config.ts names, beside the other generators',
        {
          'prisma.config.ts': CONFIG('db'),
          'db/a.prisma': 'model A {\n  id Int @id\n}\n',
          'db/base/generators.prisma': SCHEMA,
          'db/z.prisma': 'model Z {\n  id Int @id\n}\n',
        },
        'db/base/generators.prisma',
        '../../src/generated',
      ],
    ])('%s', async (_place, files, schema, output) => {
      const app = project(files);
      expect(await app.init()).toMatchObject({ code: 0, err: '' });
      expect(app.read(schema)).toContain(
        `generator resourceApi {\n  provider = "nestjs-resource-api"\n  output   = "${output}/resource-schema.ts"\n}`,
      );
      expect((await app.init()).out).toContain('nothing to do');
    });

    it('and adds the generator at its end where it has no other, with its line endings', async () => {
      const app = project({ 'prisma/schema.prisma': 'datasource db {\r\n  provider = "sqlite"\r\n}\r\n' });
      await app.init();
      expect(app.read('prisma/schema.prisma')).toBe(
        `datasource db {\r\n  provider = "sqlite"\r\n}\r\n\r\n${BLOCK.replaceAll('\n', '\r\n')}\r\n`,
      );
    });

    it('and keeps a generator that the schema has already, with its output', async () => {
      const schema = `generator resourceApi {\n  provider = "npx nestjs-resource-api" // ours\n  output = "../src/api/"\n}\n\n${SCHEMA}`;
      const app = project({ 'prisma/schema.prisma': schema, 'src/api/resource-schema.ts': 'export {};\n' });
      expect((await app.init()).code).toBe(0);
      expect(app.read('prisma/schema.prisma')).toBe(schema);
      expect(app.generated).toBe(0);
      expect(app.read(MODULE)).toContain("import { resourceSchema } from '../api/resource-schema';");
    });

    it('or prints what is wrong with the configuration of Prisma', async () => {
      const broken = project({ 'prisma.config.ts': "throw new Error('no DATABASE_URL');\n" });
      expect(await broken.init()).toMatchObject({
        code: 1,
        err: expect.stringContaining('Your Prisma configuration cannot be loaded: ') as string,
      });
      const lost = project({ 'prisma.config.ts': CONFIG('db/other.prisma') });
      expect((await lost.init()).err).toContain('/db/other.prisma, which your configuration of Prisma names, does not exist');
    });
  });

  describe('finds the data client', () => {
    it('that no module exports, through ModuleRef', async () => {
      const app = project({ 'src/prisma/prisma.module.ts': undefined });
      expect((await app.init()).code).toBe(0);
      expect(app.read(MODULE)).toContain(`    ResourceApiModule.forRootAsync({
      inject: [ModuleRef],
      rest: { prefix: 'api/rest' },
      rpc: { prefix: 'api/rpc' },
      useFactory: (modules: ModuleRef) => {
        // Each read of the API, and each write of one record, is one SQL statement.
        const pool = new Pool({
          connectionString: process.env.DATABASE_URL,
          statement_timeout: 5_000,
          allowExitOnIdle: true,
        });
        let sqlClient: PrismaService | undefined;
        const makeClient = () => {
          const prisma = modules.get(PrismaService, { strict: false });
          return withSql(prisma, { pool, writes: true });
        };
        return {
          schema: resourceSchema,
          getClient: () => (sqlClient ??= makeClient()),
`);
      expect(app.read(MODULE)).toContain("import { ModuleRef } from '@nestjs/core';");
    });

    it('that is an exported constant', async () => {
      const app = project({
        'src/prisma/prisma.service.ts': undefined,
        'src/prisma/prisma.module.ts': undefined,
        'src/db.ts':
          "import { PrismaClient } from './generated/prisma/client';\nexport const db = new PrismaClient({ adapter }).$extends({});\n",
      });
      expect((await app.init()).code).toBe(0);
      expect(app.read(MODULE)).toContain(`    ResourceApiModule.forRoot({
      schema: resourceSchema,
      getClient: () => db,
      rest: {
        prefix: 'api/rest',
`);
    });

    it('or prints a PrismaService to paste, and writes nothing', async () => {
      const app = project({ 'src/prisma/prisma.service.ts': undefined, 'src/prisma/prisma.module.ts': undefined });
      const before = app.files();

      const { code, err } = await app.init();

      expect(code).toBe(1);
      expect(app.files()).toEqual(before);
      expect(err).toContain(
        'Write src/prisma/prisma.service.ts, add PrismaService to the providers of AppModule, then run this command again:',
      );
      expect(err).toContain(`import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import { PrismaClient } from '../generated/prisma/client';

@Injectable()
export class PrismaService extends PrismaClient implements OnModuleDestroy {
  readonly pool: Pool;

  constructor() {
    const pool = new Pool({ connectionString: process.env.DATABASE_URL, statement_timeout: 5_000 });
    // Without a listener, a connection that is lost while it is idle ends the process. withSql logs it.
    pool.on('error', () => undefined);
    super({ adapter: new PrismaPg(pool, { disposeExternalPool: true }) });
    this.pool = pool;
  }

  async onModuleDestroy() {
    await this.$disconnect();
  }
}
`);
    });

    it.each([
      ['generator c {\n  provider = "prisma-client-js"\n}\n', '@prisma/client'],
      ['generator c {\n  provider = "prisma-client-js"\n  output = "../db"\n}\n', '../../db'],
      ['', '@prisma/client'],
    ])('imports the client of %j in what it prints', async (generator, specifier) => {
      const app = project({
        'prisma/schema.prisma': `${generator}datasource db {\n  provider = "sqlite"\n}\n`,
        'src/prisma/prisma.service.ts': undefined,
        'src/prisma/prisma.module.ts': undefined,
      });
      const { err } = await app.init();
      expect(err).toContain(`import { PrismaClient } from '${specifier}';`);
      expect(err).toContain("super({ adapter: new PrismaBetterSqlite3({ url: process.env.DATABASE_URL ?? '' }) });");
    });

    it('or names all clients where the project has several', async () => {
      const app = project({ 'src/other.service.ts': 'export class OtherService extends PrismaClient {}\n' });
      const { code, err } = await app.init();
      expect(code).toBe(1);
      expect(err).toContain('OtherService (src/other.service.ts), PrismaService (src/prisma/prisma.service.ts). Nothing is changed.');
    });
  });
});
