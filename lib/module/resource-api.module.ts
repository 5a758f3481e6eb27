import { type DynamicModule, type INestApplication, Module } from '@nestjs/common';
import { ConfigurationProblems } from '../errors/configuration-problems.js';
import { checkAsyncOptions, checkOptions } from '../options/check-options.js';
import { compileOptions } from './compile-options.js';
import { DATA_CLIENT, RESOURCE_API_OPTIONS, RESOURCE_MODEL } from '../options/tokens.js';
import type { ResourceSchema } from '../model/schema/resource-schema.js';
import { type Registration, registrationOf } from '../options/registration.js';
import type { ResourceApiAsyncOptions, ResourceApiOptions } from '../options/resource-api-options.js';
import { IdempotencyKeys } from '../idempotency/idempotency-keys.service.js';
import { ResourceClients } from '../own-code/resource-clients.service.js';
import { type DocsOptions, setupDocs } from './openapi-documents.js';
import { asyncOptionsProviders, resourceApiProviders } from './resource-api.providers.js';
import { isObject } from '../utils/is-object.js';
import { later } from '../utils/later.js';

/**
 * Serves every exposed Prisma model as REST (JSON:API 1.1), as RPC, or as both. It may be imported several times with different prefixes.
 */
@Module({})
export class ResourceApiModule {
  /**
   * Registers the API with options that are available synchronously.
   *
   * @throws ConfigurationError for an option that does not exist, and if both styles have the same prefix; values are checked at boot
   * @example
   * ResourceApiModule.forRoot({
   *   schema: resourceSchema,
   *   getClient: () => prisma,
   *   rest: { prefix: 'api/rest', endpoint: 'http://localhost:3000/api/rest' },
   *   rpc: { prefix: 'api/rpc' },
   * })
   */
  static forRoot<const Schema extends ResourceSchema>(options: ResourceApiOptions<Schema>): DynamicModule {
    const registration = checkedRegistration(options);
    const ownDataClient = options.getClient !== undefined;
    return {
      ...moduleOf(registration, ownDataClient),
      providers: [{ provide: RESOURCE_API_OPTIONS, useValue: options }, ...resourceApiProviders(registration, { ownDataClient })],
    };
  }

  /**
   * Registers the API with options that a factory creates: `useFactory`, `useClass` or `useExisting`. Styles, prefixes, guards,
   * interceptors and pipes are passed directly, because Nest reads routes from decorators before the factory runs.
   *
   * @throws ConfigurationError for an option that does not exist here, if both styles have the same prefix, or if no factory is given
   * @example
   * ResourceApiModule.forRootAsync({
   *   imports: [DatabaseModule],
   *   inject: [PrismaService, ConfigService],
   *   rest: { prefix: 'api/rest' },
   *   rpc: { prefix: 'api/rpc' },
   *   useFactory: (prisma: PrismaService, config: ConfigService) => ({
   *     schema: resourceSchema,
   *     getClient: () => prisma,
   *     rest: { endpoint: config.getOrThrow('PUBLIC_REST_URL') },
   *   }),
   * })
   */
  static forRootAsync(options: ResourceApiAsyncOptions): DynamicModule {
    checkAsyncOptions(options);
    const registration = registrationOf(options, ResourceApiModule);
    return {
      ...moduleOf(registration, true),
      imports: options.imports ?? [],
      providers: [...asyncOptionsProviders(options), ...resourceApiProviders(registration, { ownDataClient: true })],
    };
  }

  /**
   * Serves Swagger UI and the OpenAPI document for all routes of the application, including those of the API. It needs `@nestjs/swagger`
   * (and on Fastify `@fastify/static`). Call it before `app.listen()`.
   *
   * @throws ConfigurationError when `@nestjs/swagger` is not installed
   * @example
   * await ResourceApiModule.setupDocs(app, { path: 'docs', title: 'Blog' }); // GET /docs, GET /docs-json
   */
  static setupDocs(app: INestApplication, options: DocsOptions = {}): Promise<void> {
    return setupDocs(app, options);
  }
}

/**
 * Checks the options and extracts those that decide routes. If a name is wrong, the errors of values that boot would find are reported
 * together with it.
 */
function checkedRegistration(options: ResourceApiOptions): Registration {
  const problems = new ConfigurationProblems();
  problems.collect(later(checkOptions, options));
  if (problems.found && (options.rest === undefined || isObject(options.rest))) collectAtBoot(options, problems);
  problems.throwAny();
  return registrationOf(options, ResourceApiModule);
}

function collectAtBoot(options: ResourceApiOptions, problems: ConfigurationProblems): void {
  try {
    problems.collect(() => compileOptions(options, registrationOf(options, ResourceApiModule)));
  } catch {
    // An option of the wrong type can make the others unreadable. It has been reported already.
  }
}

function moduleOf(registration: Registration, ownDataClient: boolean): DynamicModule {
  return {
    module: ResourceApiModule,
    global: registration.isGlobal,
    exports: [RESOURCE_MODEL, ResourceClients, IdempotencyKeys, ...(ownDataClient ? [DATA_CLIENT] : [])],
  };
}
