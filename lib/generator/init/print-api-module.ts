import type { Application } from './application.js';
import type { DataClientSource, Exported } from './data-client-source.js';

/** The class that the written file exports. */
export const API_MODULE = 'AppResourceApiModule';

/** What the written module is made of. */
export interface ApiModule {
  readonly client: DataClientSource;
  /** The generated schema. */
  readonly schema: string;
  /** Tells what to write to import a file. */
  readonly specifierOf: (path: string) => string;
  readonly application: Application;
}

/** Where each style answers: below Nest's global prefix, where there is one. */
export function prefixesOf({ globalPrefix }: Pick<Application, 'globalPrefix'>): {
  readonly rest: string;
  readonly rpc: string;
  /** From the root of the server. */
  readonly restPath: string;
  readonly rpcPath: string;
} {
  const prefix = globalPrefix === '' ? 'api/' : '';
  const base = globalPrefix === '' ? '' : `/${globalPrefix}`;
  return { rest: `${prefix}rest`, rpc: `${prefix}rpc`, restPath: `${base}/${prefix}rest`, rpcPath: `${base}/${prefix}rpc` };
}

/** The text of `resource-api.module.ts`: both styles, on the project's own data client. */
export function printApiModule(module: ApiModule): string {
  const { client, application } = module;
  const paths = prefixesOf(application);
  return `${printImports(module)}

/**
 * The models of the Prisma schema: REST (JSON:API) at ${paths.restPath}, RPC at ${paths.rpcPath}.
 * All options: node_modules/nestjs-resource-api/docs/options.md
 */
@Module({
  imports: [
${client.kind === 'provider' ? printAsync(client, application) : printSync(client.constant, application)}
  ],
})
export class ${API_MODULE} {}
`;
}

function printImports({ client, schema, specifierOf }: ApiModule): string {
  const own = client.kind === 'constant' ? [client.constant] : client.module ? [client.module, client.service] : [client.service];
  const files = [{ name: 'resourceSchema', path: schema }, ...own].map(({ name, path }) => [name, specifierOf(path)] as const);
  const needsModuleRef = client.kind === 'provider' && !client.module;
  return [
    ['Module', '@nestjs/common'] as const,
    ...(needsModuleRef ? [['ModuleRef', '@nestjs/core'] as const] : []),
    ['ResourceApiModule', 'nestjs-resource-api'] as const,
    ...files,
  ]
    .map(([name, specifier]) => `import { ${name} } from '${specifier}';`)
    .join('\n');
}

function printAsync({ service, module }: Extract<DataClientSource, { readonly kind: 'provider' }>, application: Application): string {
  const { rest, rpc } = prefixesOf(application);
  const imports = module ? `      imports: [${module.name}],\n` : '';
  const inject = module ? service.name : 'ModuleRef';
  const parameter = module ? `prisma: ${service.name}` : 'modules: ModuleRef';
  const client = module ? 'prisma' : `modules.get(${service.name}, { strict: false })`;
  return `    ResourceApiModule.forRootAsync({
${imports}      inject: [${inject}],
      rest: { prefix: '${rest}' },
      rpc: { prefix: '${rpc}' },
      useFactory: (${parameter}) => ({
        schema: resourceSchema,
        getClient: () => ${client},
        rest: {
          // The base of every link: the URL under which clients reach the REST API.
          endpoint: ${printEndpoint(application)},
        },
        // Every model and field is open, unless you say otherwise:
        // resources: { User: { fields: { passwordHash: 'hidden' } } },
      }),
    }),`;
}

function printSync({ name }: Exported, application: Application): string {
  const { rest, rpc } = prefixesOf(application);
  return `    ResourceApiModule.forRoot({
      schema: resourceSchema,
      getClient: () => ${name},
      rest: {
        prefix: '${rest}',
        // The base of every link: the URL under which clients reach the REST API.
        endpoint: ${printEndpoint(application)},
      },
      rpc: { prefix: '${rpc}' },
      // Every model and field is open, unless you say otherwise:
      // resources: { User: { fields: { passwordHash: 'hidden' } } },
    }),`;
}

function printEndpoint(application: Application): string {
  const { port, environment } = application;
  const { restPath } = prefixesOf(application);
  const local = `http://localhost:${port}`;
  if (environment === 'none') return `'${local}${restPath}'`;
  const variable = environment === 'dot' ? 'process.env.PUBLIC_URL' : "process.env['PUBLIC_URL']";
  return `\`\${${variable} ?? '${local}'}${restPath}\``;
}
