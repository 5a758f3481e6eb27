import type { Provider } from '@nestjs/common';
import { prismaExecutor } from '../executor/prisma-executor.js';
import { ModulesContainer } from '@nestjs/core';
import { ActionRunner, type BindCaller, compileActionChecks } from '../actions/action-runner.service.js';
import { findActions } from '../actions/find-actions.provider.js';
import { findHooks } from '../hooks/find-hooks.provider.js';
import { HooksService, logFailure } from '../hooks/hooks.service.js';
import { ClientSource, dataClientProvider } from '../platform/client-source.service.js';
import { CallerRows } from '../run/caller-rows.service.js';
import { PlanRunner } from '../run/plan-runner.service.js';
import { callersClient, withinTransaction } from '../own-code/callers-client.js';
import { fullyExposedModel } from '../own-code/fully-exposed-model.js';
import { ResourceClients } from '../own-code/resource-clients.service.js';
import { RuledClientCheck } from '../run/ruled-client-check.service.js';
import { SessionSettingsCheck } from '../run/session-settings-check.service.js';
import { SqlReport } from '../run/sql-report.service.js';
import { Idempotency } from '../idempotency/idempotency.service.js';
import { IdempotencyKeys } from '../idempotency/idempotency-keys.service.js';
import { ErrorResponder } from '../platform/error-responder.service.js';
import { BodyReader } from '../platform/body-reader.service.js';
import { BootClient } from '../platform/boot-client.service.js';
import { BootReport } from './boot-report.service.js';
import { CallerGrants } from '../platform/caller-grants.service.js';
import { RequestHandler } from '../platform/request-handler.service.js';
import { RequestPipeline } from '../platform/request-pipeline.service.js';
import { interceptorsClass, mountStyle } from '../platform/entry-classes.js';
import { ApplicationCheck } from '../platform/application-check.service.js';
import { MountNames } from '../platform/mount-names.service.js';
import { MountPoints, type ServedStyles } from '../platform/mount-points.service.js';
import { PlatformService } from '../platform/platform.service.js';
import type { Style } from '../platform/style.js';
import type { ApiStyle } from '../options/api-style.js';
import { compileOptions, type CompiledOptions } from './compile-options.js';
import type { FoundCode } from './row-stage.js';
import { checkFactoryOptions } from '../options/check-options.js';
import {
  ACTION_CHECKS,
  BIND_CALLER,
  COMPILED_OPTIONS,
  EXECUTOR_OF,
  HOST_HOOKS,
  IDEMPOTENCY,
  IDEMPOTENCY_SETTINGS,
  LIMITS,
  MOUNTS,
  OWN_ACTIONS,
  RECORD_CHECKS,
  REGISTRATION,
  RESOURCE_API_OPTIONS,
  RESOURCE_MODEL,
  MCP_SETTINGS,
  REST_SETTINGS,
  ROW_RULES,
  RPC_SETTINGS,
  SERVED_STYLES,
  SERVER_VALUES,
  TELEMETRY,
} from '../options/tokens.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { loadTelemetry } from '../telemetry/open-telemetry.js';
import type { Mount, Registration } from '../options/registration.js';
import type {
  ResourceApiAsyncOptions,
  ResourceApiFactoryOptions,
  ResourceApiOptions,
  ResourceApiOptionsFactory,
} from '../options/resource-api-options.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import type { Limits } from '../model/limits.js';
import { SchemaCheck } from '../platform/schema-check.service.js';
import { REST_CONTEXTS, RestContexts } from '../rest/plan/rest-contexts.js';
import { RestOperationsService } from '../rest/rest-operations.service.js';
import { RestActionService } from '../rest/rest-action.service.js';
import type { RestSettings } from '../options/rest-settings.js';
import { ExportSnapshots } from '../rest/export-snapshots.service.js';
import { RestExportService } from '../rest/rest-export.service.js';
import { RestReadService } from '../rest/rest-read.service.js';
import { restStyle } from '../rest/rest-style.js';
import { RestWriteService } from '../rest/rest-write.service.js';
import { RestService } from '../rest/rest.service.js';
import { MCP_STYLE } from '../mcp/mcp-style.js';
import { mcpRpcProvider } from '../mcp/mcp-rpc.provider.js';
import { McpService } from '../mcp/mcp.service.js';
import { ResourceMetadata } from '../mcp/resource-metadata.service.js';
import { RPC_STYLE } from '../rpc/rpc-style.js';
import { RpcDescription } from '../rpc/rpc-description.service.js';
import { RpcService } from '../rpc/rpc.service.js';
import { compileChecks } from '../validation/compile-checks.js';

/** Returns the providers of one `ResourceApiModule`. The caller adds the provider of `RESOURCE_API_OPTIONS`. */
export function resourceApiProviders(registration: Registration, { ownDataClient }: { readonly ownDataClient: boolean }): Provider[] {
  const styles = new Set<ApiStyle>(registration.mounts.map((mount) => mount.style));
  const mounts = registration.mounts.map((mount) => mountStyle(STYLE_FACTORIES[mount.style](mount), mount.prefix, registration));
  return [
    { provide: MOUNTS, useValue: mounts },
    ...mounts.flatMap(({ entries }) => entries.map(({ type }) => type)),
    interceptorsClass(registration),
    { provide: REGISTRATION, useValue: registration },
    {
      provide: COMPILED_OPTIONS,
      inject: [RESOURCE_API_OPTIONS, ModulesContainer],
      useFactory: (options: ResourceApiOptions, modules: ModulesContainer) => compileOptions(options, registration, findCode(modules)),
    },
    { provide: EXECUTOR_OF, useValue: prismaExecutor },
    { provide: TELEMETRY, useFactory: loadTelemetry },
    fromCompiled(RESOURCE_MODEL, 'model'),
    { provide: SERVED_STYLES, inject: [COMPILED_OPTIONS], useFactory: servedStyles },
    fromCompiled(REST_SETTINGS, 'rest'),
    fromCompiled(LIMITS, 'limits'),
    fromCompiled(ROW_RULES, 'rules'),
    fromCompiled(SERVER_VALUES, 'serverValues'),
    ...OWN_CODE,
    ...IDEMPOTENCY_PROVIDERS,
    { provide: RECORD_CHECKS, inject: [COMPILED_OPTIONS], useFactory: checksOf },
    ClientSource,
    CallerGrants,
    MountPoints,
    BodyReader,
    ErrorResponder,
    CallerRows,
    ...(styles.has('mcp') ? MCP_PROVIDERS : []),
    RequestPipeline,
    RequestHandler,
    PlatformService,
    PlanRunner,
    ...AT_BOOT,
    ...(ownDataClient ? [dataClientProvider] : []),
    ...(styles.has('rest') ? REST_PROVIDERS : []),
    ...(styles.has('rpc') ? [fromCompiled(RPC_SETTINGS, 'rpc'), RpcDescription, RpcService] : []),
  ];
}

/** Listed before the platform, whose routes at the root would answer the paths of the metadata. */
const MCP_PROVIDERS: readonly Provider[] = [fromCompiled(MCP_SETTINGS, 'mcp'), ResourceMetadata, mcpRpcProvider, McpService];

/** Providers that check the application and log when it starts. */
const AT_BOOT: readonly Provider[] = [
  ApplicationCheck,
  BootClient,
  MountNames,
  BootReport,
  SchemaCheck,
  RuledClientCheck,
  SqlReport,
  SessionSettingsCheck,
];

const REST_CONTEXTS_PROVIDER: Provider = {
  provide: REST_CONTEXTS,
  inject: [REST_SETTINGS, LIMITS],
  useFactory: (settings: RestSettings, limits: Limits) => new RestContexts(settings, limits),
};

const REST_PROVIDERS: readonly Provider[] = [
  REST_CONTEXTS_PROVIDER,
  RestReadService,
  RestWriteService,
  RestOperationsService,
  RestActionService,
  ExportSnapshots,
  RestExportService,
  RestService,
];

/** Creates the styles. The platform receives them from here, because it must not import a style. */
const STYLE_FACTORIES: Readonly<Record<ApiStyle, (mount: Mount) => Style>> = {
  rest: ({ operations }) => restStyle(operations?.path),
  rpc: () => RPC_STYLE,
  mcp: () => MCP_STYLE,
};

/**
 * Returns the providers that create the options of `forRootAsync`.
 *
 * @throws ConfigurationError if no factory is given
 */
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

/** Compiles the validators of the application, for the model of callers with all grants. */
function checksOf({ model }: CompiledOptions): ReturnType<typeof compileChecks> {
  return compileChecks(model.grants ? model.grants.of(model.grants.names) : model);
}

/** Finds the actions and hooks of the application by their decorators. */
function findCode(modules: ModulesContainer): FoundCode {
  return { actions: findActions(modules), hooks: findHooks(modules), onHookFailure: logFailure };
}

const OWN_CODE: readonly Provider[] = [
  fromCompiled(HOST_HOOKS, 'hooks'),
  HooksService,
  fromCompiled(OWN_ACTIONS, 'ownActions'),
  { provide: ACTION_CHECKS, inject: [OWN_ACTIONS], useFactory: compileActionChecks },
  { provide: BIND_CALLER, inject: [RESOURCE_API_OPTIONS, TELEMETRY], useFactory: bindCallerOf },
  ActionRunner,
  ResourceClients,
];

const IDEMPOTENCY_PROVIDERS: readonly Provider[] = [
  { provide: IDEMPOTENCY, inject: [COMPILED_OPTIONS, PlanRunner], useFactory: idempotencyOf },
  fromCompiled(IDEMPOTENCY_SETTINGS, 'idempotency'),
  IdempotencyKeys,
];

function servedStyles({ models, rest, rpc, mcp }: CompiledOptions): ServedStyles {
  return {
    rest: { model: models.rest, settings: rest },
    rpc: { model: models.rpc, settings: rpc },
    mcp: { model: models.mcp, settings: mcp },
  };
}

function idempotencyOf({ idempotency, rest }: CompiledOptions, runner: PlanRunner): Idempotency | null {
  return idempotency && new Idempotency(idempotency, runner, rest?.strict ?? false);
}

/** Creates the function that creates the data clients of actions. */
function bindCallerOf({ schema }: Pick<ResourceApiOptions, 'schema'>, telemetry: Telemetry | null): BindCaller {
  return (transaction, work) =>
    withinTransaction({ ...transaction, model: fullyExposedModel(schema), telemetry }, (own) => work(callersClient(own)));
}

function fromCompiled(token: symbol, part: keyof CompiledOptions): Provider {
  return { provide: token, inject: [COMPILED_OPTIONS], useFactory: (compiled: CompiledOptions) => compiled[part] };
}
