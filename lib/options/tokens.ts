/**
 * Token of the data client of the current request; request-scoped. Inject it with `@InjectDataClient()`. Tests replace it with
 * `overrideProvider(DATA_CLIENT)`.
 */
export const DATA_CLIENT = Symbol.for('nestjs-resource-api: DATA_CLIENT');

/**
 * Token of the frozen {@link ResourceModel} that is exposed to callers without grants. Its property `grants` returns the models of callers
 * with grants.
 */
export const RESOURCE_MODEL = Symbol.for('nestjs-resource-api: RESOURCE_MODEL');

/** @internal Token of the options that the application has passed, unchecked. */
export const RESOURCE_API_OPTIONS = Symbol.for('nestjs-resource-api: RESOURCE_API_OPTIONS');

/** @internal Token of {@link CompiledOptions}: the checked options, with defaults filled in. */
export const COMPILED_OPTIONS = Symbol.for('nestjs-resource-api: COMPILED_OPTIONS');

/** @internal Token of {@link ServedStyles}: the model and the settings of each style. */
export const SERVED_STYLES = Symbol.for('nestjs-resource-api: SERVED_STYLES');

/** @internal Token of the function that creates an {@link Executor} for the data client of a request. */
export const EXECUTOR_OF = Symbol.for('nestjs-resource-api: EXECUTOR_OF');

/** @internal Token of {@link ApplicationHooks}; null if the application has no hooks. */
export const HOST_HOOKS = Symbol.for('nestjs-resource-api: HOST_HOOKS');

/** @internal Token of {@link RowRules}; null if the application has neither rules nor hooks, and no model has soft delete. */
export const ROW_RULES = Symbol.for('nestjs-resource-api: ROW_RULES');

/** @internal Token of {@link ServerValues}; null if no field has a server value. */
export const SERVER_VALUES = Symbol.for('nestjs-resource-api: SERVER_VALUES');

/** @internal Token of {@link ApplicationActions}: the methods with `@ResourceAction`. */
export const OWN_ACTIONS = Symbol.for('nestjs-resource-api: OWN_ACTIONS');

/** @internal Token of {@link ActionChecks}: the compiled validators of the bodies of actions. */
export const ACTION_CHECKS = Symbol.for('nestjs-resource-api: ACTION_CHECKS');

/** @internal Token of {@link BindCaller}, which creates the data client that acts for a caller. */
export const BIND_CALLER = Symbol.for('nestjs-resource-api: BIND_CALLER');

/** @internal Token of {@link IdempotencyHandler}; null without the option `idempotency`. */
export const IDEMPOTENCY = Symbol.for('nestjs-resource-api: IDEMPOTENCY');

/** @internal Token of {@link IdempotencySettings}; null without the option `idempotency`. */
export const IDEMPOTENCY_SETTINGS = Symbol.for('nestjs-resource-api: IDEMPOTENCY_SETTINGS');

/** @internal Token of {@link RestSettings}; undefined if REST is off. */
export const REST_SETTINGS = Symbol.for('nestjs-resource-api: REST_SETTINGS');

/** @internal Token of {@link RpcSettings}. */
export const RPC_SETTINGS = Symbol.for('nestjs-resource-api: RPC_SETTINGS');

/** @internal Token of {@link McpSettings}. */
export const MCP_SETTINGS = Symbol.for('nestjs-resource-api: MCP_SETTINGS');

/** @internal Token of {@link Limits}. */
export const LIMITS = Symbol.for('nestjs-resource-api: LIMITS');

/** @internal Token of {@link Telemetry}; null if `@opentelemetry/api` is not installed. */
export const TELEMETRY = Symbol.for('nestjs-resource-api: TELEMETRY');

/** @internal Token of {@link RecordChecks}: the compiled validators of the application. */
export const RECORD_CHECKS = Symbol.for('nestjs-resource-api: RECORD_CHECKS');

/** @internal Token of {@link Registration}. */
export const REGISTRATION = Symbol.for('nestjs-resource-api: REGISTRATION');

/** @internal Token of the {@link StyledMount}s of one `ResourceApiModule`. */
export const MOUNTS = Symbol.for('nestjs-resource-api: MOUNTS');
