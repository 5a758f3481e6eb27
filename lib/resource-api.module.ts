import { type DynamicModule, Module } from '@nestjs/common';
import { mountControllers } from './platform/mount-controllers.js';
import { checkAsyncOptions, checkOptions } from './resource-api.check-options.js';
import { DATA_CLIENT, RESOURCE_API_OPTIONS, RESOURCE_MODEL } from './resource-api.constants.js';
import { type ResourceSchema } from './model/resource-schema.js';
import { type Registration, registrationOf } from './resource-api.module-definition.js';
import { type ResourceApiAsyncOptions, type ResourceApiOptions } from './resource-api.options.js';
import { asyncOptionsProviders, resourceApiProviders } from './resource-api.providers.js';

/**
 * Serves every exposed Prisma model as REST (JSON:API 1.1), as RPC, or as both. It may be imported several times with different prefixes.
 */
@Module({})
export class ResourceApiModule {
  /**
   * Registers the API with options that are known now.
   *
   * @throws ConfigurationError for an option that does not exist, and when the routes cannot be told apart; values are checked at boot
   * @example
   * ResourceApiModule.forRoot({
   *   schema: resourceSchema,
   *   getClient: () => prisma,
   *   rest: { prefix: 'api/rest', endpoint: 'http://localhost:3000/api/rest' },
   *   rpc: { prefix: 'api/rpc' },
   * })
   */
  static forRoot<const Schema extends ResourceSchema>(options: ResourceApiOptions<Schema>): DynamicModule {
    checkOptions(options);
    const registration = registrationOf(options, ResourceApiModule);
    const ownDataClient = options.getClient !== undefined;
    return {
      ...moduleOf(registration, ownDataClient),
      providers: [{ provide: RESOURCE_API_OPTIONS, useValue: options }, ...resourceApiProviders(registration, { ownDataClient })],
    };
  }

  /**
   * Registers the API with options that a factory makes: styles, prefixes and enhancers are given now, since Nest reads routes from
   * decorators, and everything else by `useFactory`, `useClass` or `useExisting`.
   *
   * @throws ConfigurationError for an option that does not exist here, when the routes cannot be told apart, or no factory is given
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
}

function moduleOf(registration: Registration, ownDataClient: boolean): DynamicModule {
  return {
    module: ResourceApiModule,
    global: registration.isGlobal,
    controllers: registration.mounts.flatMap((mount) => mountControllers(mount, registration)),
    exports: [RESOURCE_MODEL, ...(ownDataClient ? [DATA_CLIENT] : [])],
  };
}
