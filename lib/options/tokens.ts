/**
 * Token of the data client of the request at hand; request-scoped. Inject it with `@InjectDataClient()`, replace it in tests with
 * `overrideProvider(DATA_CLIENT)`.
 */
export const DATA_CLIENT = Symbol.for('nestjs-resource-api: DATA_CLIENT');

/** Token of the frozen {@link ResourceModel}: what callers without grants are shown. Its `grants` lead to the models of others. */
export const RESOURCE_MODEL = Symbol.for('nestjs-resource-api: RESOURCE_MODEL');

/** @internal Token of the host's options, as given. */
export const RESOURCE_API_OPTIONS = Symbol.for('nestjs-resource-api: RESOURCE_API_OPTIONS');

/** @internal Token of {@link CompiledOptions}: the options checked and with their defaults. */
export const COMPILED_OPTIONS = Symbol.for('nestjs-resource-api: COMPILED_OPTIONS');

/** @internal Token of {@link ServedStyles}: the model and the settings of each style. */
export const SERVED_STYLES = Symbol.for('nestjs-resource-api: SERVED_STYLES');

/** @internal Token of the function that makes an {@link Executor} of the data client of a request. */
export const EXECUTOR_OF = Symbol.for('nestjs-resource-api: EXECUTOR_OF');

/** @internal Token of {@link HostHooks}, or of nothing where the host has none. */
export const HOST_HOOKS = Symbol.for('nestjs-resource-api: HOST_HOOKS');

/** @internal Token of {@link RowRules}, or of nothing where the host gives neither rules nor hooks. */
export const ROW_RULES = Symbol.for('nestjs-resource-api: ROW_RULES');

/** @internal Token of {@link ServerValues}, or of nothing where the server sets no fields. */
export const SERVER_VALUES = Symbol.for('nestjs-resource-api: SERVER_VALUES');

/** @internal Token of {@link OwnActions}: the host's own operations. */
export const OWN_ACTIONS = Symbol.for('nestjs-resource-api: OWN_ACTIONS');

/** @internal Token of {@link ActionChecks}: the validators of their bodies, ready to run. */
export const ACTION_CHECKS = Symbol.for('nestjs-resource-api: ACTION_CHECKS');

/** @internal Token of {@link BindCaller}: makes the client of a caller. */
export const BIND_CALLER = Symbol.for('nestjs-resource-api: BIND_CALLER');

/** @internal Token of {@link Repetitions}, or of nothing where the host keeps no answers. */
export const IDEMPOTENCY = Symbol.for('nestjs-resource-api: IDEMPOTENCY');

/** @internal Token of {@link IdempotencySettings}, or of null without the option `idempotency`. */
export const IDEMPOTENCY_SETTINGS = Symbol.for('nestjs-resource-api: IDEMPOTENCY_SETTINGS');

/** @internal Token of {@link RestSettings}; of undefined where REST is off. */
export const REST_SETTINGS = Symbol.for('nestjs-resource-api: REST_SETTINGS');

/** @internal Token of {@link RpcSettings}. */
export const RPC_SETTINGS = Symbol.for('nestjs-resource-api: RPC_SETTINGS');

/** @internal Token of {@link Limits}. */
export const LIMITS = Symbol.for('nestjs-resource-api: LIMITS');

/** @internal Token of {@link RecordChecks}: the host's validators, ready to run. */
export const RECORD_CHECKS = Symbol.for('nestjs-resource-api: RECORD_CHECKS');

/** @internal Token of {@link Registration}. */
export const REGISTRATION = Symbol.for('nestjs-resource-api: REGISTRATION');

/** @internal Token of the {@link StyledMount}s of a module. */
export const MOUNTS = Symbol.for('nestjs-resource-api: MOUNTS');
