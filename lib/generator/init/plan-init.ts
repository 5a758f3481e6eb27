import { dirname, join } from 'node:path';
import { type Application, findApplication } from './application.js';
import { type DataClientSource, findDataClients } from './data-client-source.js';
import { findPrismaSchema } from './find-prisma-schema.js';
import { importModule } from './import-module.js';
import { importExtensionOf, importSpecifier } from './import-specifier.js';
import { InitProblem } from './init-problem.js';
import { findNestModules } from './nest-modules.js';
import { addGenerator, findOwnGenerator, outputOf, type SchemaFile } from './prisma-blocks.js';
import { prismaServiceExample } from './prisma-service-example.js';
import { API_MODULE, prefixesOf, printApiModule } from './print-api-module.js';
import { pathFrom, type Project } from './project.js';
import { readSourceFiles, type SourceFile } from './source-files.js';
import { parseSource } from './typescript.js';

/** A file that `init` writes. */
export interface FileChange {
  /** Absolute. */
  readonly path: string;
  /** `undefined` for a new file. */
  readonly before?: string;
  readonly after: string;
  /** What it is for, in a few words. */
  readonly summary: string;
}

/** What `init` does, known before anything is written. */
export interface InitPlan {
  /** The Prisma schema, where it lacks the generator. */
  readonly schema?: FileChange;
  /** The file that `prisma generate` must write; absent where it is there. */
  readonly generates?: string;
  readonly sources: readonly FileChange[];
  /** What is left to do by hand, to be pasted. */
  readonly byHand: readonly string[];
  readonly application: Application;
  /** The first model of the Prisma schema, to try the API with. */
  readonly firstModel: string | undefined;
}

/**
 * Reads the project, and decides what to write.
 *
 * @param module what `--module` names
 * @throws InitProblem when nothing can be done before the project has changed; it says how
 */
export async function planInit(project: Project, module: string | undefined): Promise<InitPlan> {
  const schema = await findPrismaSchema(project);
  const files = await readSourceFiles(project.sourceRoot);
  const application = findApplication(project, files, module);
  const own = findOwnGenerator(schema);
  const output = own ? outputOf(own) : join(dirname(application.module.path), 'generated', 'resource-schema.ts');
  const hasOutput = own !== undefined && files.some(({ path }) => path === output);
  return {
    ...(!own && { schema: generatorChange(schema, output) }),
    ...(!hasOutput && { generates: output }),
    ...planSources({ project, schema, files, application, output }),
    application,
    firstModel: schema.flatMap(({ text }) => /^[ \t]*model[ \t]+(\w+)/m.exec(text)?.[1] ?? [])[0],
  };
}

function generatorChange(schema: readonly [SchemaFile, ...SchemaFile[]], output: string): FileChange {
  const { path, text } = addGenerator(schema, (file) => pathFrom(dirname(file.path), output));
  const before = schema.find((file) => file.path === path)?.text ?? '';
  return { path, before, after: text, summary: 'the generator resourceApi' };
}

interface Findings {
  readonly project: Project;
  readonly schema: readonly SchemaFile[];
  readonly files: readonly SourceFile[];
  readonly application: Application;
  /** The generated schema. */
  readonly output: string;
}

function planSources(found: Findings): Pick<InitPlan, 'sources' | 'byHand'> {
  const { files, application, project } = found;
  const path = join(dirname(application.module.path), 'resource-api', 'resource-api.module.ts');
  const existing = files.find((file) => file.path === path);
  if (!existing && files.some(isSetUp)) return { sources: [], byHand: [] };
  const written: readonly FileChange[] = existing ? [] : [apiModuleChange(path, found)];
  const specifier = importSpecifier(application.module.path, path, importExtensionOf(application.module, project));
  const name = existing ? classOf(existing, project) : API_MODULE;
  const outcome = importModule(application.module.text, { name, specifier, into: application.moduleName }, project.typescript);
  if (outcome.kind === 'unchanged') return { sources: written, byHand: [] };
  const { path: target, text: before } = application.module;
  if (outcome.kind === 'edited') {
    return { sources: [...written, { path: target, before, after: outcome.text, summary: `imports ${name}` }], byHand: [] };
  }
  const paste = `import { ${name} } from '${specifier}';\n\n@Module({\n  imports: [${name}], // beside what is there\n})`;
  const place = pathFrom(project.root, target);
  return { sources: written, byHand: [`${place} is left as it is: ${outcome.reason}. Add this to it yourself:\n\n${paste}`] };
}

/** Whether a file imports this package's module already, as by hand. */
function isSetUp({ text }: SourceFile): boolean {
  return /import\s*\{[^}]*\bResourceApiModule\b[^}]*\}\s*from\s*['"]nestjs-resource-api['"]/.test(text);
}

function classOf({ text }: SourceFile, { typescript }: Project): string {
  return findNestModules(parseSource(text, typescript), typescript)[0]?.name ?? API_MODULE;
}

function apiModuleChange(path: string, found: Findings): FileChange {
  const { application, output, project } = found;
  const extension = importExtensionOf(application.module, project);
  const { restPath, rpcPath } = prefixesOf(application);
  const after = printApiModule({
    client: chooseClient(found),
    schema: output,
    specifierOf: (file) => importSpecifier(path, file, extension),
    application,
  });
  return { path, after, summary: `REST at ${restPath}, RPC at ${rpcPath}` };
}

function chooseClient({ project, schema, files, application }: Findings): DataClientSource {
  const [client, ...others] = findDataClients(files, project.typescript);
  if (!client) {
    const path = join(dirname(application.module.path), 'prisma', 'prisma.service.ts');
    const example = prismaServiceExample(schema, { path, extension: importExtensionOf(application.module, project) });
    throw new InitProblem(
      'Your project has no data client yet: no class that extends PrismaClient, no exported `new PrismaClient(…)`. Nothing is changed.\n' +
        `Write ${pathFrom(project.root, path)}, add PrismaService to the providers of ${application.moduleName}, then run this command again:\n\n${example}`,
    );
  }
  if (others.length === 0) return client;
  const names = [client, ...others].map((each) => (each.kind === 'provider' ? each.service : each.constant));
  throw new InitProblem(
    `Your project has several data clients: ${names.map(({ name, path }) => `${name} (${pathFrom(project.root, path)})`).join(', ')}. Nothing is changed.\n` +
      'Mount the API yourself, once for each client: see "Add it to your app" and "Several schemas" in the documentation of nestjs-resource-api.',
  );
}
