import { dirname, isAbsolute, join, relative } from 'node:path';
import { lstat, realpath } from 'node:fs/promises';
import { type Application, findApplication } from './application.js';
import { chooseResources, type ChosenResources } from './choose-resources.js';
import {
  chooseSql,
  type DataClientSource,
  findDataClients,
  hasForeignKeys,
  isPostgresql,
  placeOf,
  type SqlChoice,
  usesSql,
} from './data-client-source.js';
import { findPrismaSchema } from './find-prisma-schema.js';
import { findShortcomings, type Found } from './find-shortcomings.js';
import { importExtensionOf, addModuleImport, importSpecifier } from './import-module.js';
import { InitProblem, installsOf } from './installed-package.js';
import { mendBuild } from './mend-build.js';
import { mendClientForJest, queriesInJestAdvice } from './mend-client.js';
import { findNestModules } from './nest-modules.js';
import { addGenerator, findOwnGenerator, outputOf, type SchemaFile } from './prisma-blocks.js';
import { examplePackages, prismaServiceExample } from './prisma-service-example.js';
import { connectsToPooler, POOLER_ADVICE } from './pooler.js';
import { API_MODULE, prefixesOf, printApiModule } from './print-api-module.js';
import { pathFrom, type Project } from './project.js';
import { readModels } from './read-models.js';
import { type FileChange, parseSource, readSourceFiles, type SourceFile } from './source-files.js';

/** The plan of `init`, complete before any file is written. */
export interface InitPlan {
  /** The changes of the Prisma schema. */
  readonly schema: readonly FileChange[];
  /** The file that `prisma generate` must write; absent if it exists and the schema does not change. */
  readonly generates?: string;
  readonly sources: readonly FileChange[];
  /** What the user must do by hand, with text to paste. */
  readonly toDo: readonly string[];
  /** Steps that make the API faster. */
  readonly advice: readonly string[];
  readonly application: Application;
  /** The models that the API module exposes; absent if `init` does not write the module's option `resources`. */
  readonly resources?: ChosenResources;
  /** A model for the example requests: the first exposed one, otherwise the first of the schema. */
  readonly firstModel: string | undefined;
  /** The command for `prisma generate` in this project. */
  readonly generate: string;
}

/**
 * Reads the project and plans the files to write.
 *
 * @param module value of `--module`
 * @throws InitProblem if the project must be changed first; the message says how
 */
export async function planInit(project: Project, module: string | undefined, environment: NodeJS.ProcessEnv): Promise<InitPlan> {
  const schema = await findPrismaSchema(project);
  const files = await readSourceFiles(project.sourceRoot);
  const application = findApplication(project, files, module);
  const isPooled = await connectsToPooler({ project, files, environment });
  const found: Found = { project, schema, files, application, isPooled };
  const client = await mendClientForJest(project, schema);
  const { output, ...generation } = planGeneration(schema, client.schema, found);
  const { makesPool, ...planned } = await planSources({ ...found, output });
  const build = await mendBuild(project);
  const sources = [...planned.sources, ...(typeof build === 'object' ? [build] : [])];
  for (const path of [...generation.schema, ...sources].map((change) => change.path).concat(generation.generates ?? []))
    await requireInside(project.root, path);
  const shortcomings = await findShortcomings({ ...found, environment, makesPool });
  return {
    ...generation,
    ...planned,
    sources,
    toDo: [...shortcomings, client.toDo, build, ...planned.toDo].filter((each) => typeof each === 'string'),
    application,
    firstModel: planned.resources?.open[0]?.model ?? readModels(schema)[0]?.name,
    generate: project.prisma.generate,
  };
}

/**
 * Adds the generator to the schema if it is missing.
 *
 * @param schema as it is
 * @param mended with the other changes
 */
function planGeneration(
  schema: readonly SchemaFile[],
  mended: readonly SchemaFile[],
  { files, application }: Pick<Found, 'files' | 'application'>,
): Pick<InitPlan, 'schema' | 'generates'> & Pick<Findings, 'output'> {
  const own = findOwnGenerator(schema);
  const output = own ? outputOf(own) : join(dirname(application.module.path), 'generated', 'resource-schema.ts');
  const after = own ? mended : addGenerator(mended, (file) => pathFrom(dirname(file.path), output));
  const changes = after.flatMap(({ path, text }, index): readonly FileChange[] => {
    const before = schema[index]?.text ?? '';
    if (text === before) return [];
    const isMended = mended[index]?.text !== before;
    const parts = [
      ...(text === mended[index]?.text ? [] : ['the generator resourceApi']),
      ...(isMended ? ['a client that Jest can load'] : []),
    ];
    return [{ path, before, after: text, summary: parts.join(', and ') }];
  });
  const isThere = changes.length === 0 && files.some(({ path }) => path === output);
  return { output, schema: changes, ...(!isThere && { generates: output }) };
}

interface Findings extends Found {
  /** Absolute path of the generated schema. */
  readonly output: string;
}

type Planned = Pick<InitPlan, 'sources' | 'toDo' | 'advice' | 'resources'> & { readonly makesPool: boolean };

const NOTHING: Planned = { sources: [], toDo: [], advice: [], makesPool: false };

async function planSources(found: Findings): Promise<Planned> {
  const { files, application, project } = found;
  const path = join(dirname(application.module.path), 'resource-api', 'resource-api.module.ts');
  const existing = files.find((file) => file.path === path);
  if (!existing && files.some(isSetUp)) return NOTHING;
  const module: Planned = existing ? NOTHING : await planApiModule(path, found);
  const specifier = importSpecifier(application.module.path, path, importExtensionOf(application.module, project));
  const name = existing ? classOf(existing, project) : API_MODULE;
  const outcome = addModuleImport(application.module.text, { name, specifier, into: application.moduleName }, project.typescript);
  if (outcome.kind === 'unchanged') return module;
  const { path: target, text: before } = application.module;
  if (outcome.kind === 'edited') {
    return { ...module, sources: [...module.sources, { path: target, before, after: outcome.text, summary: `imports ${name}` }] };
  }
  const paste = `import { ${name} } from '${specifier}';\n\n@Module({\n  imports: [${name}], // beside what is there\n})`;
  const place = pathFrom(project.root, target);
  return { ...module, toDo: [`${place} is left as it is: ${outcome.reason}. Add this to it yourself:\n\n${paste}`] };
}

/** Whether a file already mounts this package's module. A file with only `setupDocs`, such as main.ts, does not count. */
function isSetUp({ text }: SourceFile): boolean {
  const isImported = /import\s*\{[^}]*\bResourceApiModule\b[^}]*\}\s*from\s*['"]nestjs-resource-api['"]/.test(text);
  return isImported && /\.\s*forRoot(?:Async)?\b/.test(text);
}

function classOf({ text }: SourceFile, { typescript }: Project): string {
  return findNestModules(parseSource(text, typescript), typescript)[0]?.name ?? API_MODULE;
}

async function planApiModule(path: string, found: Findings): Promise<Planned> {
  const { application, output, project, schema, files } = found;
  const extension = importExtensionOf(application.module, project);
  const { restPath, rpcPath } = prefixesOf(application);
  const client = await chooseClient(found);
  const reads = chooseSql(client, schema, files);
  const resources = chooseResources(readModels(schema));
  const resourcesFile = files.find((file) => file.path === join(dirname(path), 'resources.ts') && exportsResources(file))?.path;
  const specifierOf = (file: string): string => importSpecifier(path, file, extension);
  const after = printApiModule({
    client,
    reads,
    writes: hasForeignKeys(schema),
    resources,
    schema: output,
    specifierOf,
    application,
    isPooled: found.isPooled,
    ...(resourcesFile !== undefined && { resourcesFile }),
  });
  return {
    sources: [{ path, after, summary: `REST at ${restPath}, RPC at ${rpcPath}` }],
    toDo: [],
    advice: [...adviceOf(client, reads, found), ...(await queriesInJestAdvice(project, schema))],
    ...(resourcesFile === undefined && { resources }),
    makesPool: reads.kind === 'beside',
  };
}

function exportsResources({ text }: SourceFile): boolean {
  return /^export\s+const\s+resources\b/m.test(text);
}

/** Returns advice for the file of the data client, on PostgreSQL only. */
function adviceOf(client: DataClientSource, reads: SqlChoice, { files, project, schema, isPooled }: Findings): readonly string[] {
  const file = files.find(({ path }) => path === placeOf(client));
  if (!file || !isPostgresql(schema) || !/\badapter\b/.test(file.text)) return [];
  const name = pathFrom(project.root, file.path);
  return [
    ...(isPooled ? [POOLER_ADVICE] : []),
    ...timeoutAdvice(name, file, isPooled),
    ...(reads.kind === 'none' && !usesSql(file.text)
      ? ['Read and write in SQL, which is faster than through Prisma: node_modules/nestjs-resource-api/docs/sql-reads.md']
      : []),
  ];
}

/** Returns advice about the startup parameter `statement_timeout`, which a pooler may refuse. */
function timeoutAdvice(name: string, { text }: SourceFile, isPooled: boolean): readonly string[] {
  const isSet = text.includes('statement_timeout');
  if (isPooled) return isSet ? [`Remove \`statement_timeout\` beside the connectionString in ${name}.`] : [];
  if (isSet) return [];
  return [
    `Write \`statement_timeout: 5_000\` beside the connectionString in ${name}. Without it, Prisma needs three statements more for each request.`,
  ];
}

async function chooseClient({ project, schema, files, application, isPooled }: Findings): Promise<DataClientSource> {
  const [client, ...others] = findDataClients(files, project.typescript);
  if (!client) {
    const path = join(dirname(application.module.path), 'prisma', 'prisma.service.ts');
    const example = prismaServiceExample(schema, { path, extension: importExtensionOf(application.module, project), isPooled });
    const installs = await installsOf(project.root, ['@prisma/client', ...examplePackages(schema)]);
    throw new InitProblem(
      `There is no data client in ${pathFrom(project.root, project.sourceRoot)}: no exported class that extends PrismaClient, no exported \`new PrismaClient(…)\`. Nothing is changed.\n` +
        'If yours is in another folder, mount the API yourself: node_modules/nestjs-resource-api/docs/quick-start.md, "By hand".\n' +
        (installs.length > 0 ? `Run \`${installs.join(' && ')}\`. ` : '') +
        `Write ${pathFrom(project.root, path)}, add PrismaService to the providers of ${application.moduleName}, then run this command again:\n\n${example}` +
        (isPooled && isPostgresql(schema) ? `\n${POOLER_ADVICE}` : ''),
    );
  }
  if (others.length === 0) return client;
  const names = [client, ...others].map((each) => (each.kind === 'provider' ? each.service : each.constant));
  throw new InitProblem(
    `Your project has several data clients: ${names.map(({ name, path }) => `${name} (${pathFrom(project.root, path)})`).join(', ')}. Nothing is changed.\n` +
      'Mount the API yourself, once for each client, as "Several Prisma schemas" in node_modules/nestjs-resource-api/docs/recipes.md shows.',
  );
}

/**
 * Rejects a file behind a symbolic link that leads out of the project. A file that is configured
 * outside the project (e.g. a Prisma schema in `../db`) is accepted.
 *
 * @throws InitProblem that names the file
 */
async function requireInside(root: string, file: string): Promise<void> {
  if (!isWithin(root, file)) return;
  const place = await realPlaceOf(file);
  if (place !== undefined && isWithin(await realpath(root), place)) return;
  const target = place === undefined ? 'leads nowhere' : `leads out of the project, to ${place}`;
  throw new InitProblem(
    `${pathFrom(root, file)} is behind a symbolic link that ${target}. Nothing is changed: put a file or folder of the project there.`,
  );
}

/** Returns the real path of an existing or future file; undefined behind a broken link. */
async function realPlaceOf(path: string): Promise<string | undefined> {
  const entry = await lstat(path).catch(() => undefined);
  if (entry) return realpath(path).catch(() => undefined);
  return realPlaceOf(dirname(path));
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !/^\.\.[\\/]/.test(way) && !isAbsolute(way);
}
