import { Logger, type Provider } from '@nestjs/common';
import { dataClientProvider } from './data-client/data-client.provider.js';
import { PlanRunner } from './data-client/plan-runner.service.js';
import { ErrorResponder } from './platform/error-responder.service.js';
import { BodyReader } from './platform/body-reader.service.js';
import { ClientSource } from './platform/client-source.service.js';
import { RequestHandler } from './platform/request-handler.service.js';
import { Entrance } from './platform/entrance.service.js';
import { interceptorsClass, mountStyle } from './platform/entry-classes.js';
import { MountPoints } from './platform/mount-points.service.js';
import { PlatformService } from './platform/platform.service.js';
import type { ApiStyle, Style } from './platform/style.js';
import { compileOptions, type CompiledOptions } from './resource-api.compiled-options.js';
import { checkFactoryOptions } from './resource-api.check-options.js';
import {
  COMPILED_OPTIONS,
  LIMITS,
  MOUNTS,
  RECORD_CHECKS,
  REGISTRATION,
  RESOURCE_API_OPTIONS,
  RESOURCE_MODEL,
  REST_MODEL,
  REST_SETTINGS,
  ROW_RULES,
  RPC_SETTINGS,
} from './resource-api.constants.js';
import type { Registration } from './resource-api.module-definition.js';
import type {
  ResourceApiAsyncOptions,
  ResourceApiFactoryOptions,
  ResourceApiOptions,
  ResourceApiOptionsFactory,
} from './resource-api.options.js';
import { ConfigurationError } from './errors/configuration-error.js';
import { describeSurface } from './model/surface/describe-surface.js';
import { printClosed, printRows, printSurface } from './model/surface/print-surface.js';
import { SchemaCheck } from './platform/schema-check.service.js';
import { createRestContext, REST_CONTEXT } from './rest/plan/plan-context.js';
import { RestReadService } from './rest/rest-read.service.js';
import { REST_STYLE } from './rest/rest-style.js';
import { RestWriteService } from './rest/rest-write.service.js';
import { RestService } from './rest/rest.service.js';
import { RPC_STYLE } from './rpc/rpc-style.js';
import { RpcService } from './rpc/rpc.service.js';
import { compileChecks } from './validation/compile-checks.js';

/** The providers of one mounted module; how the options come is the caller's part. */
export function resourceApiProviders(registration: Registration, { ownDataClient }: { readonly ownDataClient: boolean }): Provider[] {
  const styles = new Set<ApiStyle>(registration.mounts.map((mount) => mount.style));
  const mounts = registration.mounts.map(({ style, prefix }) => mountStyle(STYLES[style], prefix, registration));
  return [
    { provide: MOUNTS, useValue: mounts },
    ...mounts.flatMap(({ entries }) => entries.map(({ type }) => type)),
    interceptorsClass(registration),
    { provide: REGISTRATION, useValue: registration },
    {
      provide: COMPILED_OPTIONS,
      inject: [RESOURCE_API_OPTIONS],
      useFactory: (options: ResourceApiOptions) => compileAtBoot(options, registration),
    },
    fromCompiled(RESOURCE_MODEL, 'model'),
    { provide: REST_MODEL, inject: [COMPILED_OPTIONS], useFactory: ({ models }: CompiledOptions) => models.rest },
    fromCompiled(LIMITS, 'limits'),
    fromCompiled(ROW_RULES, 'rules'),
    { provide: RECORD_CHECKS, inject: [COMPILED_OPTIONS], useFactory: checksOf },
    ClientSource,
    MountPoints,
    BodyReader,
    ErrorResponder,
    Entrance,
    RequestHandler,
    PlatformService,
    SchemaCheck,
    PlanRunner,
    ...(ownDataClient ? [dataClientProvider] : []),
    ...(styles.has('rest')
      ? [fromCompiled(REST_SETTINGS, 'rest'), REST_CONTEXT_PROVIDER, RestReadService, RestWriteService, RestService]
      : []),
    ...(styles.has('rpc') ? [fromCompiled(RPC_SETTINGS, 'rpc'), RpcService] : []),
  ];
}

const REST_CONTEXT_PROVIDER: Provider = {
  provide: REST_CONTEXT,
  inject: [REST_MODEL, REST_SETTINGS, LIMITS],
  useFactory: createRestContext,
};

/** The platform is given its styles here, and knows none of them. */
const STYLES: Readonly<Record<ApiStyle, Style>> = { rest: REST_STYLE, rpc: RPC_STYLE };

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
  for (const entry of describeSurface(compiled.model)) {
    logger.log(printSurface(entry));
    const closed = printClosed(entry);
    if (closed !== undefined) logger.debug(closed);
    if (compiled.rules) logger.log(printRows(entry));
  }
  return compiled;
}

/** The host's validators by resource: both models have resources of their own, where they are two. */
function checksOf({ models }: CompiledOptions): ReturnType<typeof compileChecks> {
  return compileChecks({ resources: [...new Set([...models.rpc.resources, ...models.rest.resources])] });
}

function fromCompiled(token: symbol, part: keyof CompiledOptions): Provider {
  return { provide: token, inject: [COMPILED_OPTIONS], useFactory: (compiled: CompiledOptions) => compiled[part] };
}
