import type { Application } from './application.js';
import type { ChosenResources, OpenModel } from './choose-resources.js';
import type { DataClientSource, Exported, SqlChoice } from './data-client-source.js';

/** Name of the exported class in the written file. */
export const API_MODULE = 'AppResourceApiModule';

/** The parts of the written module. */
export interface ApiModule {
  readonly client: DataClientSource;
  readonly reads: SqlChoice;
  /** Whether writes are SQL, too. With `relationMode = "prisma"`, they cannot be. */
  readonly writes: boolean;
  readonly resources: ChosenResources;
  /** A file of the project that already exports the option `resources`. It replaces the chosen resources. */
  readonly resourcesFile?: string;
  /** Absolute path of the generated schema. */
  readonly schema: string;
  /** Returns the import specifier of a file. */
  readonly specifierOf: (path: string) => string;
  readonly application: Application;
  /** Whether the pool connects to a connection pooler, which may refuse `statement_timeout` as a startup parameter. */
  readonly isPooled: boolean;
}

/** Returns the paths of both styles, below Nest's global prefix if there is one. */
export function prefixesOf({ globalPrefix }: Pick<Application, 'globalPrefix'>): {
  readonly rest: string;
  readonly rpc: string;
  /** Path from the root of the server, as in URLs. */
  readonly restPath: string;
  readonly rpcPath: string;
} {
  const prefix = globalPrefix === '' ? 'api/' : '';
  const base = globalPrefix === '' ? '' : `/${globalPrefix.split('/').map(encodeSegment).join('/')}`;
  return { rest: `${prefix}rest`, rpc: `${prefix}rpc`, restPath: `${base}/${prefix}rest`, rpcPath: `${base}/${prefix}rpc` };
}

/** Encodes a path segment so that it is safe in strings, comments and shell commands. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Prints `resource-api.module.ts`: both styles with the project's data client. */
export function printApiModule(module: ApiModule): string {
  const { client, application } = module;
  const paths = prefixesOf(application);
  const reader = client.kind === 'constant' ? printSqlClient(client.constant.name, module) : [];
  return `${printImports(module)}
${reader.length > 0 ? `\n${reader.join('\n')}\n` : ''}
/**
 * The models of the Prisma schema: REST (JSON:API) at ${paths.restPath}, RPC at ${paths.rpcPath}.
 * All options: node_modules/nestjs-resource-api/docs/options.md
 */
@Module({
  imports: [
${indent(4, client.kind === 'provider' ? printAsync(client, module) : printSync(client.constant.name, module))}
  ],
})
export class ${API_MODULE} {}
`;
}

function printImports(api: ApiModule): string {
  const { client, reads, writes, specifierOf } = api;
  const names = new Map<string, readonly string[]>();
  for (const { name, path } of ownImports(api)) {
    const specifier = specifierOf(path);
    names.set(specifier, [...(names.get(specifier) ?? []), name]);
  }
  const needsModuleRef = client.kind === 'provider' && !client.module;
  return [
    ['@nestjs/common', ['Module']] as const,
    ...(needsModuleRef ? [['@nestjs/core', ['ModuleRef']] as const] : []),
    [
      'nestjs-resource-api',
      reads.kind === 'none' ? ['ResourceApiModule'] : ['ResourceApiModule', writes ? 'withSql' : 'withSqlReads'],
    ] as const,
    ...(reads.kind === 'beside' ? [['pg', ['Pool']] as const] : []),
    ...names,
  ]
    .map(([specifier, imported]) => `import { ${imported.join(', ')} } from '${specifier}';`)
    .join('\n');
}

function ownImports({ client, reads, schema, resourcesFile }: ApiModule): readonly Exported[] {
  const generated = [
    { name: 'resourceSchema', path: schema },
    ...(resourcesFile === undefined ? [] : [{ name: 'resources', path: resourcesFile }]),
  ];
  if (client.kind === 'provider') return [...generated, ...(client.module ? [client.module] : []), client.service];
  const { constant } = client;
  return [...generated, constant, ...(reads.kind === 'exported' ? [{ name: 'pool', path: constant.path }] : [])];
}

/** Name of the client that reads and writes in SQL, in the written module. */
const SQL_CLIENT = 'sqlClient';

function commentOf({ writes }: ApiModule): string {
  const subject = writes ? 'Each read of the API, and each write of one record, is' : 'Each read of the API is';
  return `// ${subject} one SQL statement.`;
}

/** Prints the statements that create the SQL client from a data client. */
function printSqlClient(client: string, api: ApiModule): readonly string[] {
  const { reads } = api;
  if (reads.kind === 'none') return [];
  return [commentOf(api), ...printPool(api), `const ${SQL_CLIENT} = ${sqlClientOf(client, api)};`];
}

/** Prints the statements that create the SQL client from a data client that Nest resolves only at run time. */
function printLaterSqlClient(found: string, service: string, api: ApiModule): readonly string[] {
  const { reads } = api;
  if (reads.kind === 'none') return [];
  const make = [`const prisma = ${found};`, `return ${sqlClientOf('prisma', api)};`];
  return [
    commentOf(api),
    ...printPool(api),
    `let ${SQL_CLIENT}: ${service} | undefined;`,
    'const makeClient = () => {',
    ...indentLines(2, make),
    '};',
  ];
}

function printPool({ reads, isPooled }: ApiModule): readonly string[] {
  if (reads.kind !== 'beside') return [];
  return [
    'const pool = new Pool({',
    `  connectionString: ${reads.connectionString},`,
    ...(isPooled ? [] : ['  statement_timeout: 5_000,']),
    '  allowExitOnIdle: true,',
    '});',
  ];
}

function sqlClientOf(client: string, { reads: { kind }, writes }: ApiModule): string {
  const pool = kind === 'member' ? `pool: ${client}.pool` : 'pool';
  return writes ? `withSql(${client}, { ${pool}, writes: true })` : `withSqlReads(${client}, { ${pool} })`;
}

function printAsync({ service, module }: Extract<DataClientSource, { readonly kind: 'provider' }>, api: ApiModule): readonly string[] {
  const { rest, rpc } = prefixesOf(api.application);
  const found = `modules.get(${service.name}, { strict: false })`;
  const reader = module ? printSqlClient('prisma', api) : printLaterSqlClient(found, service.name, api);
  const clients = module ? { plain: 'prisma', reading: SQL_CLIENT } : { plain: found, reading: `(${SQL_CLIENT} ??= makeClient())` };
  const options = [
    '  schema: resourceSchema,',
    `  getClient: () => ${reader.length > 0 ? clients.reading : clients.plain},`,
    '  rest: {',
    ...indentLines(4, printEndpoint(api.application)),
    '  },',
    ...indentLines(2, printResources(api)),
  ];
  const signature = `useFactory: (${module ? `prisma: ${service.name}` : 'modules: ModuleRef'}) =>`;
  return [
    'ResourceApiModule.forRootAsync({',
    ...(module ? [`  imports: [${module.name}],`] : []),
    `  inject: [${module ? service.name : 'ModuleRef'}],`,
    `  rest: { prefix: '${rest}' },`,
    `  rpc: { prefix: '${rpc}' },`,
    ...indentLines(2, reader.length > 0 ? printBody(signature, reader, options) : [`${signature} ({`, ...options, '}),']),
    '}),',
  ];
}

function printBody(signature: string, statements: readonly string[], options: readonly string[]): readonly string[] {
  return [`${signature} {`, ...indentLines(2, [...statements, 'return {', ...options, '};']), '},'];
}

function printSync(client: string, api: ApiModule): readonly string[] {
  const { rest, rpc } = prefixesOf(api.application);
  return [
    'ResourceApiModule.forRoot({',
    '  schema: resourceSchema,',
    `  getClient: () => ${api.reads.kind === 'none' ? client : SQL_CLIENT},`,
    '  rest: {',
    `    prefix: '${rest}',`,
    ...indentLines(4, printEndpoint(api.application)),
    '  },',
    `  rpc: { prefix: '${rpc}' },`,
    ...indentLines(2, printResources(api)),
    '}),',
  ];
}

function printEndpoint(application: Application): readonly string[] {
  const { port, portVariable, environment } = application;
  const { restPath } = prefixesOf(application);
  const comment = '// The base of every link: the URL under which clients reach the REST API.';
  if (environment === 'none') return [comment, `endpoint: 'http://localhost:${port}${restPath}',`];
  const local = portVariable === undefined ? `'http://localhost:${port}'` : `\`http://localhost:\${${portVariable} ?? ${port}}\``;
  const variable = environment === 'dot' ? 'process.env.PUBLIC_URL' : "process.env['PUBLIC_URL']";
  return [comment, `endpoint: \`\${${variable} ?? ${local}}${restPath}\`,`];
}

function printResources({ resources: { open }, resourcesFile }: ApiModule): readonly string[] {
  if (resourcesFile !== undefined) return ['resources,'];
  return [
    '// What is open. Everything else is closed, and so is each model that you add later.',
    'resources: {',
    "  '*': 'hidden',",
    ...indentLines(2, open.flatMap(printModel)),
    '},',
  ];
}

/** Prints the option of a model. With `fields`, it also needs `actions`, because fields alone expose no model. */
function printModel({ model, actions, secrets }: OpenModel): readonly string[] {
  if (secrets.length === 0) return [`${model}: {},`];
  return [
    `${model}: {`,
    `  actions: [${actions.map((action) => `'${action}'`).join(', ')}],`,
    '  fields: {',
    ...secrets.map((name) => `    ${name}: 'hidden',`),
    '  },',
    '},',
  ];
}

function indent(width: number, lines: readonly string[]): string {
  return indentLines(width, lines).join('\n');
}

function indentLines(width: number, lines: readonly string[]): readonly string[] {
  return lines.map((line) => ' '.repeat(width) + line);
}
