import { Logger, type Provider } from '@nestjs/common';
import { dataClientProvider } from './data-client/data-client.provider.js';
import { ErrorResponder } from './platform/error-responder.service.js';
import { ApiRequests } from './platform/api-requests.js';
import { BodyReader } from './platform/body-reader.service.js';
import { MountPoints } from './platform/mount-points.service.js';
import { PlatformEdge } from './platform/platform-edge.service.js';
import { PlatformService } from './platform/platform.service.js';
import { compileOptions, type CompiledOptions } from './resource-api.compiled-options.js';
import { checkFactoryOptions } from './resource-api.check-options.js';
import {
  COMPILED_OPTIONS,
  LIMITS,
  RECORD_CHECKS,
  REGISTRATION,
  RESOURCE_API_OPTIONS,
  RESOURCE_MODEL,
  REST_SETTINGS,
  RPC_SETTINGS,
} from './resource-api.constants.js';
import { type ApiStyle, type Registration } from './resource-api.module-definition.js';
import {
  type ResourceApiAsyncOptions,
  type ResourceApiFactoryOptions,
  type ResourceApiOptions,
  type ResourceApiOptionsFactory,
} from './resource-api.options.js';
import { ConfigurationError } from './errors/configuration-error.js';
import { describeSurface } from './model/describe-surface.js';
import { printSurface } from './model/print-surface.js';
import { type ResourceModel } from './model/resource-model.js';
import { RestOperations } from './rest/rest-operations.service.js';
import { RestReadService } from './rest/rest-read.service.js';
import { RestWriteService } from './rest/rest-write.service.js';
import { RpcService } from './rpc/rpc.service.js';
import { compileChecks } from './validation/compile-checks.js';

/** The providers of one mounted module; how the options come is the caller's part. */
export function resourceApiProviders(registration: Registration, { ownDataClient }: { readonly ownDataClient: boolean }): Provider[] {
  const styles = new Set<ApiStyle>(registration.mounts.map((mount) => mount.style));
  return [
    { provide: REGISTRATION, useValue: registration },
    {
      provide: COMPILED_OPTIONS,
      inject: [RESOURCE_API_OPTIONS],
      useFactory: (options: ResourceApiOptions) => compileAtBoot(options, registration),
    },
    fromCompiled(RESOURCE_MODEL, 'model'),
    fromCompiled(LIMITS, 'limits'),
    { provide: RECORD_CHECKS, inject: [RESOURCE_MODEL], useFactory: (model: ResourceModel) => compileChecks(model) },
    ApiRequests,
    MountPoints,
    BodyReader,
    ErrorResponder,
    PlatformEdge,
    PlatformService,
    ...(ownDataClient ? [dataClientProvider] : []),
    ...(styles.has('rest') ? [fromCompiled(REST_SETTINGS, 'rest'), RestReadService, RestWriteService, RestOperations] : []),
    ...(styles.has('rpc') ? [fromCompiled(RPC_SETTINGS, 'rpc'), RpcService] : []),
  ];
}

/** The provider that makes the options of `forRootAsync`. */
export function asyncOptionsProviders(options: ResourceApiAsyncOptions): Provider[] {
  const { useFactory, useClass, useExisting, inject = [] } = options;
  if (useFactory !== undefined) {
    const make = useFactory as (...dependencies: unknown[]) => FactoryResult;
    return [{ provide: RESOURCE_API_OPTIONS, inject, useFactory: (...dependencies: unknown[]) => checked(make(...dependencies)) }];
  }
  const factory = useClass ?? useExisting;
  if (factory === undefined) {
    throw new ConfigurationError('forRootAsync has no factory.', 'Give one of useFactory, useClass and useExisting.');
  }
  const fromFactory: Provider = {
    provide: RESOURCE_API_OPTIONS,
    inject: [factory],
    useFactory: (made: ResourceApiOptionsFactory) => checked(made.createResourceApiOptions()),
  };
  return useClass === undefined ? [fromFactory] : [useClass, fromFactory];
}

type FactoryResult = ResourceApiFactoryOptions | Promise<ResourceApiFactoryOptions>;

async function checked(options: FactoryResult): Promise<ResourceApiFactoryOptions> {
  const made = await options;
  checkFactoryOptions(made);
  return made;
}

/** Checks the options, and tells the log what is doubtful and what is open. */
function compileAtBoot(options: ResourceApiOptions, registration: Registration): CompiledOptions {
  const compiled = compileOptions(options, registration);
  const logger = new Logger('ResourceApi');
  for (const warning of compiled.warnings) logger.warn(warning);
  for (const entry of describeSurface(compiled.model)) logger.log(printSurface(entry));
  return compiled;
}

function fromCompiled(token: symbol, part: keyof CompiledOptions): Provider {
  return { provide: token, inject: [COMPILED_OPTIONS], useFactory: (compiled: CompiledOptions) => compiled[part] };
}
