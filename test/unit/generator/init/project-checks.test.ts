import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Files, NestProject, type ProjectOptions, SCHEMA } from './nest-project.js';

const roots: string[] = [];

function project(files: Files = {}, options: ProjectOptions = {}): NestProject {
  const made = new NestProject(files, options);
  roots.push(made.root);
  return made;
}

function outside(): string {
  const folder = mkdtempSync(join(tmpdir(), 'outside-'));
  roots.push(folder);
  return folder;
}

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

const JEST = '{ "name": "app", "jest": { "rootDir": "src" } }';
const NODENEXT = '{ "compilerOptions": { "module": "nodenext", "outDir": "./dist" } }';
const FOR_JEST = SCHEMA.replace('output   =', 'moduleFormat = "cjs"\n  importFileExtension = ""\n  output   =');

/** A build that writes dist/src/main.js, since it compiles the configuration of Prisma, too. */
const DIST_SRC: Files = {
  'package.json': '{ "scripts": { "start:prod": "node dist/main" } }',
  'tsconfig.json': '{ "compilerOptions": { "outDir": "./dist", "module": "commonjs" } }',
  'tsconfig.build.json': '{ "extends": "./tsconfig.json", "exclude": ["node_modules", "dist"] }',
  'prisma.config.ts': "export default { schema: 'prisma/schema.prisma' };\n",
};

describe('nestjs-resource-api init', () => {
  describe('stops before it writes anything', () => {
    it.each<[packages: Readonly<Record<string, string | undefined>>, message: string]>([
      [
        { prisma: '8.0.0-rc.19' },
        'This package needs Prisma 7, and Prisma 8.0.0-rc.19 is installed here, which has no generators. Nothing is changed.',
      ],
      [{ prisma: '8.0.0-rc.19' }, '\n  npm install --save-dev prisma@7\n  npm install @prisma/client@7\n'],
      [
        { prisma: '8.0.0-rc.19' },
        "\n  npm pkg set 'overrides.nestjs-resource-api.prisma=$prisma'\n  npm install --save-dev @prisma/prisma7\n",
      ],
      [{ prisma: '8.0.0-rc.19' }, '`npx prisma7 generate`'],
      [{ prisma: '6.19.0' }, 'This package needs Prisma 7, and Prisma 6.19.0 is installed here. Nothing is changed. Upgrade it:'],
      [{ prisma: undefined }, 'Prisma is not installed here.'],
      [{ '@nestjs/core': '10.4.22' }, 'This package needs NestJS 11 or 12, and NestJS 10.4.22 is installed here.'],
    ])('with %j, and prints the remedy: %s', async (packages, message) => {
      const app = project({}, { packages });
      const before = app.files();
      for (const args of [[], ['--dry-run']]) {
        const { code, err } = await app.init(...args);
        expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(message) as string });
      }
      expect(app.files()).toEqual(before);
      expect(app.generated).toBe(0);
    });

    it.each([
      ['the folder of the API module', 'src/resource-api', 'src/resource-api/resource-api.module.ts'],
      ['the folder of the generated schema', 'src/generated', 'src/generated/resource-schema.ts'],
      ['the folder of the Prisma schema', 'prisma', 'prisma/schema.prisma'],
    ])('where %s is a link out of the project', async (_what, link, named) => {
      const app = project(link === 'prisma' ? { 'prisma/schema.prisma': undefined } : {});
      const target = outside();
      symlinkSync(target, join(app.root, link));
      if (link === 'prisma') app.write('prisma/schema.prisma', SCHEMA);
      const names = readdirSync(target);

      const { code, err } = await app.init();

      expect({ code, err }).toEqual({
        code: 1,
        err: expect.stringContaining(`init: ${named} is behind a symbolic link that leads out of the project, to ${target}`) as string,
      });
      expect(readdirSync(target)).toEqual(names);
      expect(app.generated).toBe(0);
    });

    it('where the file of the API module is a link that leads nowhere', async () => {
      const app = project();
      const target = outside();
      mkdirSync(join(app.root, 'src/resource-api'));
      symlinkSync(join(target, 'not-there.ts'), join(app.root, 'src/resource-api/resource-api.module.ts'));
      expect(await app.init()).toMatchObject({
        code: 1,
        err: expect.stringContaining('is behind a symbolic link that leads nowhere') as string,
      });
      expect(readdirSync(target)).toEqual([]);
    });
  });

  it('follows links that stay in the project', async () => {
    const app = project();
    mkdirSync(join(app.root, 'shared'));
    symlinkSync('../shared', join(app.root, 'src/generated'));
    expect((await app.init()).code).toBe(0);
    expect(app.read('shared/resource-schema.ts')).toContain('resourceSchema');
  });

  it('works with the Prisma 7 that @prisma/prisma7 brings beside Prisma 8', async () => {
    const app = project(
      {},
      { packages: { 'prisma': '8.0.0-rc.19', '@prisma/prisma7': '7.10.0', '@prisma/prisma7/node_modules/prisma': '7.10.0' } },
    );
    const { code, out } = await app.init();
    expect(code).toBe(0);
    expect(out).toContain('prisma7 generate: wrote src/generated/resource-schema.ts');
  });

  describe('names what the project lacks, before what comes next', () => {
    it.each<[lack: string, files: Files, options: ProjectOptions, message: string]>([
      [
        '@nestjs/swagger of another major version',
        {},
        { packages: { '@nestjs/swagger': '11.4.6', '@nestjs/core': '12.5.1' } },
        '@nestjs/swagger 11.4.6 does not work with NestJS 12: npm install @nestjs/swagger@12',
      ],
      [
        '@nestjs/swagger 12 with NestJS 11',
        {},
        { packages: { '@nestjs/swagger': '12.0.2', '@nestjs/core': '11.1.0' } },
        'npm install @nestjs/swagger@11',
      ],
      ['@prisma/client', {}, { packages: { '@prisma/client': undefined } }, 'are not installed: npm install @prisma/client@7'],
      ['the adapter', {}, { packages: { '@prisma/adapter-pg': undefined } }, 'are not installed: npm install @prisma/adapter-pg@7'],
      [
        'the driver of the pool',
        {},
        { packages: { 'pg': undefined, '@types/pg': undefined } },
        'are not installed: npm install pg && npm install --save-dev @types/pg',
      ],
      [
        'an adapter in the service',
        { 'src/prisma/prisma.service.ts': 'export class PrismaService extends PrismaClient {}\n' },
        {},
        'The client in src/prisma/prisma.service.ts has no driver adapter, and Prisma 7 needs one',
      ],
      ['DATABASE_URL', {}, { environment: {} }, 'DATABASE_URL is not set: write it into .env, or set it in the environment.'],
      [
        'a DATABASE_URL with a value',
        { '.env': '# DATABASE_URL=postgresql://db/app\nDATABASE_URL=\n' },
        { environment: {} },
        'DATABASE_URL is not set',
      ],
      [
        'what loads .env',
        { '.env': 'DATABASE_URL=postgresql://db/app\n' },
        { environment: {} },
        "DATABASE_URL is in .env, which nothing loads: npm install dotenv, and write import 'dotenv/config'; as the first line of src/main.ts.",
      ],
      [
        'a client that Jest can load, where the generator has other settings',
        { 'package.json': JEST, 'tsconfig.json': NODENEXT, 'prisma/schema.prisma': FOR_JEST.replace('"cjs"', '"esm"') },
        {},
        'Set this in the generator client in prisma/schema.prisma, and run `npx prisma generate`:\n\n  moduleFormat        = "cjs"\n  importFileExtension = ""',
      ],
      [
        'the file that start:prod starts, where the build compiles files of the application beside src',
        { ...DIST_SRC, 'prisma/seed.ts': 'export {};\n' },
        {},
        'npm run start:prod runs dist/main, and the build writes dist/src/main.js. It compiles prisma.config.ts, prisma/seed.ts, too. Add "prisma.config.ts", "prisma/seed.ts" to "exclude" in tsconfig.build.json.',
      ],
      [
        'the file that start:prod starts, where the configuration excludes nothing',
        { ...DIST_SRC, 'tsconfig.build.json': '{ "extends": "./tsconfig.json" }' },
        {},
        'Add "prisma.config.ts" to "exclude" in tsconfig.build.json.',
      ],
    ])('%s', async (_lack, files, options, message) => {
      const app = project(files, options);
      const planned = await app.init('--dry-run');
      expect(planned).toMatchObject({ code: 0, err: '', out: expect.stringContaining(message) as string });
      const { code, err, out } = await app.init();
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out.indexOf('To do, before the application can run:')).toBeLessThan(out.indexOf('Start your application'));
      expect(out.indexOf(message)).toBeLessThan(out.indexOf('Start your application'));
      expect(out).toContain(message);
      const again = await app.init();
      expect(again).toMatchObject({ code: 0, err: '', out: expect.stringContaining('nothing to do') as string });
      expect(again.out).toContain(message);
    });

    it.each<[what: string, files: Files, options: ProjectOptions]>([
      [
        'DATABASE_URL in .env that Nest loads',
        { '.env': 'DATABASE_URL=x\n', 'src/config.ts': "import '@nestjs/config';\n" },
        { environment: {} },
      ],
      ['a client for Jest', { 'package.json': JEST, 'tsconfig.json': NODENEXT, 'prisma/schema.prisma': FOR_JEST }, {}],
      [
        'a Jest that resolves .js to sources',
        { 'package.json': '{ "jest": { "moduleNameMapper": { "^(\\\\.{1,2}/.*)\\\\.js$": "$1" } } }', 'tsconfig.json': NODENEXT },
        {},
      ],
      [
        'the build of a monorepo, which webpack bundles',
        {
          'package.json': '{ "scripts": { "start:prod": "node dist/apps/api/main" } }',
          'nest-cli.json': '{ "compilerOptions": { "webpack": true, "tsConfigPath": "tsconfig.json" } }',
          'tsconfig.json': '{ "compilerOptions": { "outDir": "./dist/apps/api", "module": "commonjs" } }',
          'libs/db.ts': '',
        },
        {},
      ],
      [
        'a build without the configuration of Prisma',
        {
          'package.json': '{ "scripts": { "start:prod": "node --enable-source-maps dist/main.js" } }',
          'tsconfig.json': '{ "compilerOptions": { "outDir": "./dist", "rootDir": "./src", "module": "commonjs" }, "include": ["src"] }',
          'prisma.config.ts': "export default { schema: 'prisma/schema.prisma' };\n",
        },
        {},
      ],
    ])('and not %s', async (_what, files, options) => {
      const { code, err, out } = await project(files, options).init();
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).not.toContain('To do');
    });
  });
});
