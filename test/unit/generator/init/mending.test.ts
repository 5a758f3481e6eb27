import { rmSync } from 'node:fs';
import { type Files, NestProject, SCHEMA } from './nest-project.js';

const roots: string[] = [];

function project(files: Files = {}): NestProject {
  const made = new NestProject(files);
  roots.push(made.root);
  return made;
}

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

describe("init makes the edits that NestJS 11's newest template needs", () => {
  const NEST_11: Files = {
    'package.json': `{ "scripts": { "start:prod": "node dist/main" }, "jest": { "rootDir": "src" } }`,
    'tsconfig.json': '{ "compilerOptions": { "module": "nodenext", "outDir": "./dist" } }',
    'tsconfig.build.json': '{ "extends": "./tsconfig.json", "exclude": ["node_modules", "dist"] }',
    'prisma.config.ts': "export default { schema: 'prisma/schema.prisma' };\n",
  };

  it('in the generator of the Prisma client and in the build, and nothing else of the two files', async () => {
    const app = project(NEST_11);
    const before = app.files();
    const { code, out: planned } = await app.init('--dry-run');
    expect(code).toBe(0);
    expect(planned).toContain(
      'prisma/schema.prisma (changed): the generator resourceApi, and a client that Jest can load\n\n+   moduleFormat        = "cjs"\n+   importFileExtension = ""\n',
    );
    expect(planned).toContain(
      `tsconfig.build.json (changed): the build writes dist/main.js\n\n- { "extends": "./tsconfig.json", "exclude": ["node_modules", "dist"] }\n+ { "compilerOptions": { "rootDir": "./src" }, "extends": "./tsconfig.json", "exclude": ["node_modules", "dist", "prisma.config.ts"] }`,
    );
    expect(app.files()).toEqual(before);

    const { out, err } = await app.init();
    expect(err).toBe('');
    expect(out).not.toContain('To do');
    expect(out).toContain('Tests under Jest that send queries need an option of Node: NODE_OPTIONS=--experimental-vm-modules');
    expect(app.read('prisma/schema.prisma')).toContain(`  output   = "../src/generated/prisma"
  moduleFormat        = "cjs"
  importFileExtension = ""
}

generator resourceApi {`);
    expect(app.read('tsconfig.build.json')).toBe(
      '{ "compilerOptions": { "rootDir": "./src" }, "extends": "./tsconfig.json", "exclude": ["node_modules", "dist", "prisma.config.ts"] }',
    );

    expect(await app.init()).toMatchObject({ code: 0, out: expect.stringMatching(/^There is nothing to do/) as string });
    expect(app.generated).toBe(1);
  });

  it('and keeps comments, lines and line endings', async () => {
    const build =
      '{\r\n  // Of nest build.\r\n  "extends": "./tsconfig.json",\r\n  "exclude": [\r\n    "dist",\r\n    "test" // too\r\n  ]\r\n}\r\n';
    const app = project({ ...NEST_11, 'tsconfig.build.json': build, 'prisma/schema.prisma': SCHEMA.replaceAll('\n', '\r\n') });
    await app.init();
    expect(app.read('tsconfig.build.json')).toBe(
      build
        .replace('"test" // too\r\n', '"test", // too\r\n    "prisma.config.ts"\r\n')
        .replace('{\r\n', '{\r\n  "compilerOptions": { "rootDir": "./src" },\r\n'),
    );
    expect(app.read('prisma/schema.prisma')).toContain('  moduleFormat        = "cjs"\r\n  importFileExtension = ""\r\n}\r\n');
  });

  it('and adds a rootDir beside other options of the compiler', async () => {
    const build = (options: string) => `{ "extends": "./tsconfig.json", "compilerOptions": {${options} }, "exclude": ["test"] }`;
    const app = project({ ...NEST_11, 'prisma.config.ts': undefined, 'tsconfig.build.json': build(' "removeComments": true') });
    await app.init();
    expect(app.read('tsconfig.build.json')).toBe(build(' "rootDir": "./src", "removeComments": true'));
  });

  it('adds the one setting that is missing', async () => {
    const app = project({ ...NEST_11, 'prisma/schema.prisma': SCHEMA.replace('output   =', 'moduleFormat = "cjs"\n  output   =') });
    await app.init();
    expect(app.read('prisma/schema.prisma').match(/moduleFormat|importFileExtension = ""/g)).toEqual([
      'moduleFormat',
      'importFileExtension = ""',
    ]);
  });

  it('and generates once more, where the schema has the generator already', async () => {
    const app = project();
    await app.init();
    for (const [name, text] of Object.entries(NEST_11)) app.write(name, text ?? '');
    expect(await app.init()).toMatchObject({
      code: 0,
      out: expect.stringContaining('prisma generate: wrote src/generated/resource-schema.ts') as string,
    });
    expect(app.generated).toBe(2);
  });
});
