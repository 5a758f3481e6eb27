import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import { createRpcClient, RpcClientError } from '../../../lib/client/index.js';
import { long } from '../../support/long.js';
import { describeOnBlog } from '../../support/sample-process.js';

const ROOT = resolve(import.meta.dirname, '../../..');
const GUIDE = readFileSync(resolve(ROOT, 'docs/rpc-client.md'), 'utf8');
const SNIPPETS = [...GUIDE.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);

/** The snippets of the guide as one module, beside the generated client of the blog. */
const MODULE = resolve(ROOT, 'sample/blog/src/rpc-client-guide.ts');
const SOURCE = SNIPPETS.join('\n');

describe('docs/rpc-client.md', () => {
  it('has code', () => {
    expect(SNIPPETS.length).toBeGreaterThan(5);
  });

  long.it('compiles against the types of the blog', () => {
    expect(compile()).toEqual([]);
  });

  describeOnBlog('run in Node against the blog', (blog) => {
    it('executes, and prints the documented output', async () => {
      const lines: string[] = [];
      await run(blog.url, (...words) => lines.push(words.join(' ')));
      const [title, second, third, error, ...further] = lines;
      expect([title, second, third]).toEqual([1, 2, 3].map(() => expect.stringMatching(/^.+, \w+ \w+, 20\d\d$/)));
      expect(error).toBe('400 P2002 A record with the same unique value exists already.');
      expect(further).toEqual([]);
    });
  });
});

function compile(): readonly string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    types: [],
    skipLibCheck: true,
    noEmit: true,
    paths: { 'nestjs-resource-api/client': [resolve(ROOT, 'lib/client/index.ts')] },
  };
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (name) => name === MODULE || disk.fileExists(name),
    getSourceFile: (name, version) => (name === MODULE ? ts.createSourceFile(name, SOURCE, version) : disk.getSourceFile(name, version)),
  };
  const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram([MODULE], options, host));
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

type Print = (...words: readonly unknown[]) => void;

/** Runs the snippets with their imports and the URL of the blog as parameters. */
async function run(url: string, print: Print): Promise<void> {
  const code = SOURCE.replaceAll(/^import .*\n/gm, '').replaceAll('http://localhost:3000', url);
  const { outputText } = ts.transpileModule(code, { compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext } });
  const AsyncFunction = (async () => Promise.resolve()).constructor as new (
    ...parts: readonly string[]
  ) => (...given: unknown[]) => Promise<void>;
  const main = new AsyncFunction('createRpcClient', 'RpcClientError', 'console', outputText);
  await main(createRpcClient, RpcClientError, { log: print });
}
