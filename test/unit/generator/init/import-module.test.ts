import ts from 'typescript';
import { addModuleImport } from '../../../../lib/generator/init/import-module.js';

const WANTED = { name: 'ApiModule', specifier: './api/api.module.js', into: 'AppModule' };
const HEAD = "import { Module } from '@nestjs/common';\n";
const NEW_HEAD = `${HEAD}import { ApiModule } from './api/api.module.js';\n`;

function edit(source: string): string {
  const outcome = addModuleImport(source, WANTED, ts);
  return outcome.kind === 'edited' ? outcome.text : `${outcome.kind}${outcome.kind === 'unclear' ? `: ${outcome.reason}` : ''}`;
}

/** The argument of `@Module()` after the edit. */
function editArgument(argument: string): string {
  const source = (text: string, head: string) => `${head}\n@Module(${text})\nexport class AppModule {}\n`;
  const text = edit(source(argument, HEAD));
  const [before, after] = source('|', NEW_HEAD).split('|') as [string, string];
  expect({ before: text.slice(0, before.length), after: text.slice(-after.length) }).toEqual({ before, after });
  return text.slice(before.length, -after.length);
}

describe('importModule', () => {
  it.each([
    ['an empty list', '{ imports: [] }', '{ imports: [ApiModule] }'],
    ['a list on one line', '{ imports: [A, B], providers: [C] }', '{ imports: [A, B, ApiModule], providers: [C] }'],
    ['a trailing comma on one line', '{ imports: [A, B,] }', '{ imports: [A, B, ApiModule,] }'],
    ['a list of lines', '{\n  imports: [\n    A,\n    B,\n  ],\n}', '{\n  imports: [\n    A,\n    B,\n    ApiModule,\n  ],\n}'],
    ['lines without a trailing comma', '{\n  imports: [\n    A,\n    B\n  ]\n}', '{\n  imports: [\n    A,\n    B,\n    ApiModule,\n  ]\n}'],
    [
      'comments behind elements',
      '{\n  imports: [\n    A, // first\n    B // last, and [odd]\n  ],\n}',
      '{\n  imports: [\n    A, // first\n    B, // last, and [odd]\n    ApiModule,\n  ],\n}',
    ],
    ['a list of comments', '{\n  imports: [\n    // none yet\n  ],\n}', '{\n  imports: [\n    // none yet\n    ApiModule,\n  ],\n}'],
    [
      'an element over several lines',
      '{\n  imports: [A.forRoot({\n    b: true,\n  })],\n}',
      '{\n  imports: [A.forRoot({\n    b: true,\n  }), ApiModule],\n}',
    ],
    ['a quoted property', "{ 'imports': [A] }", "{ 'imports': [A, ApiModule] }"],
    ['spread elements', '{ imports: [...shared, A] }', '{ imports: [...shared, A, ApiModule] }'],
    ['a list under a type', '{ imports: [A] as DynamicModule[] }', '{ imports: [A, ApiModule] as DynamicModule[] }'],
    ['a variable', '{ imports: modules }', '{ imports: [...(modules), ApiModule] }'],
    ['a variable called imports', '{ imports }', '{ imports: [...imports, ApiModule] }'],
    ['a choice', '{ imports: x ? [A] : [B] }', '{ imports: [...(x ? [A] : [B]), ApiModule] }'],
    ['no imports', '{ controllers: [A] }', '{ imports: [ApiModule], controllers: [A] }'],
    ['no imports, in lines', '{\n  controllers: [A],\n}', '{\n  imports: [ApiModule],\n  controllers: [A],\n}'],
    [
      'no imports, and a comment',
      '{ // see below\n  controllers: [A],\n}',
      '{\n  imports: [ApiModule], // see below\n  controllers: [A],\n}',
    ],
    ['no metadata', '{}', '{ imports: [ApiModule] }'],
    ['a spread before the imports', '{ ...base, imports: [A] }', '{ ...base, imports: [A, ApiModule] }'],
  ])('adds the module to %s', (_case, before, after) => {
    expect(editArgument(before)).toBe(after);
  });

  it('changes nothing where the module is imported', () => {
    const once = edit(`${HEAD}\n@Module({ imports: [A] })\nexport class AppModule {}\n`);
    expect(edit(once)).toBe('unchanged');
    const variable = edit(`${HEAD}\n@Module({ imports: all })\nexport class AppModule {}\n`);
    expect(edit(variable)).toBe('unchanged');
  });

  it('keeps line endings, quotes, and the absence of semicolons', () => {
    const source =
      'import { Module } from "@nestjs/common" // Nest\r\n\r\n@Module({\r\n  imports: [\r\n    A\r\n  ]\r\n})\r\nexport class AppModule {}\r\n';
    expect(edit(source)).toBe(
      'import { Module } from "@nestjs/common" // Nest\r\nimport { ApiModule } from "./api/api.module.js"\r\n\r\n' +
        '@Module({\r\n  imports: [\r\n    A,\r\n    ApiModule,\r\n  ]\r\n})\r\nexport class AppModule {}\r\n',
    );
  });

  it('finds the decorator under an alias and in a namespace, and beside other decorators', () => {
    expect(edit("import { Global, Module as M } from '@nestjs/common';\n@Global()\n@M({ imports: [] })\nclass AppModule {}\n")).toContain(
      '@Global()\n@M({ imports: [ApiModule] })',
    );
    expect(edit("import * as nest from '@nestjs/common';\n@nest.Module({ imports: [] })\nclass AppModule {}\n")).toContain(
      '@nest.Module({ imports: [ApiModule] })',
    );
  });

  it('adds the module to the named one of several modules', () => {
    const text = edit(`${HEAD}@Module({ imports: [A] })\nclass Inner {}\n@Module({ imports: [Inner] })\nexport class AppModule {}\n`);
    expect(text).toContain('@Module({ imports: [A] })\nclass Inner {}');
    expect(text).toContain('@Module({ imports: [Inner, ApiModule] })');
  });

  it('adds the module to the only module of a file, under any name', () => {
    expect(edit(`${HEAD}@Module({ imports: [] })\nexport class RootModule {}\n`)).toContain('imports: [ApiModule]');
  });

  it.each([
    ['no module', 'export const a = 1;\n', 'it declares no class with @Module()'],
    [
      "another package's decorator",
      "import { Module } from './x';\n@Module({})\nclass AppModule {}\n",
      'it declares no class with @Module()',
    ],
    [
      'several modules, none the wanted one',
      `${HEAD}@Module({})\nclass A {}\n@Module({})\nclass B {}\n`,
      'it declares several modules (A, B), none of them called AppModule',
    ],
    [
      'metadata in a variable',
      `${HEAD}@Module(metadata)\nclass AppModule {}\n`,
      'the argument of @Module() of AppModule is no object literal',
    ],
    [
      'metadata that is spread without own imports',
      `${HEAD}@Module({ ...base, providers: [] })\nclass AppModule {}\n`,
      'the metadata of AppModule is spread from elsewhere (...), which may hold its imports',
    ],
    [
      'a spread behind the imports',
      `${HEAD}@Module({ imports: [], ...base })\nclass AppModule {}\n`,
      'the metadata of AppModule is spread from elsewhere (...), which may hold its imports',
    ],
    ['computed imports', `${HEAD}@Module({ get imports() { return []; } })\nclass AppModule {}\n`, 'the imports of AppModule are computed'],
  ])('refuses %s', (_case, source, reason) => {
    expect(edit(source)).toBe(`unclear: ${reason}`);
  });
});
