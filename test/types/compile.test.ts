import { relative, resolve } from 'node:path';
import ts from 'typescript';
import { long } from '../support/long.js';

const ROOT = resolve(import.meta.dirname, '../..');

/** Compiles a project as `tsc -p` does; messages as `file:line: text`. */
function compile(config: string): { readonly problems: readonly string[]; readonly files: readonly string[] } {
  const host: ts.ParseConfigFileHost = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: refuse,
  };
  const project = ts.getParsedCommandLineOfConfigFile(resolve(ROOT, config), undefined, host);
  const program = ts.createProgram(project?.fileNames ?? [], project?.options ?? {});
  const files = program.getSourceFiles().map(({ fileName }) => relative(ROOT, fileName));
  return { problems: ts.getPreEmitDiagnostics(program).map(describeProblem), files };
}

function refuse(diagnostic: ts.Diagnostic): never {
  throw new Error(describeProblem(diagnostic));
}

function describeProblem({ file, start = 0, messageText }: ts.Diagnostic): string {
  const text = ts.flattenDiagnosticMessageText(messageText, '\n');
  return file ? `${relative(ROOT, file.fileName)}:${file.getLineAndCharacterOfPosition(start).line + 1}: ${text}` : text;
}

long.describe('the typed client', () => {
  let problems: readonly string[];
  let files: readonly string[];
  beforeAll(() => {
    ({ problems, files } = compile('test/types/tsconfig.json'));
  }, 120_000);

  it('keeps the promises of the type tests, in a project with the types of the DOM and none of Node', () => {
    expect(problems).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['lib/client/index.ts', 'test/types/rpc-client.types.ts']));
    expect(files.filter((file) => file.includes('@types/'))).toEqual([]);
  });

  it('reaches nothing of this package but lib/wire, the reading of base64, the table of operations, and the type of descriptions', () => {
    const reached = files.filter((file) => file.startsWith('lib/'));
    expect(
      reached.filter(
        (file) =>
          !/^lib\/(?:client|tanstack-query|wire)\/|^lib\/rpc\/protocol\/(?:api-description|rpc-operations)\.ts$|^lib\/utils\/base64\.ts$/.test(
            file,
          ),
      ),
    ).toEqual([]);
  });
});
