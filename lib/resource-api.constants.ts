/**
 * Token of the data client of the request at hand; request-scoped. Inject it with `@InjectDataClient()`, replace it in tests with
 * `overrideProvider(DATA_CLIENT)`.
 */
export const DATA_CLIENT = Symbol.for('nestjs-resource-api: DATA_CLIENT');

/** Token of the frozen {@link ResourceModel}. */
export const RESOURCE_MODEL = Symbol.for('nestjs-resource-api: RESOURCE_MODEL');

/** @internal Token of the part of {@link RESOURCE_MODEL} that REST serves. */
export const REST_MODEL = Symbol.for('nestjs-resource-api: REST_MODEL');

/** @internal Token of the host's options, as given. */
export const RESOURCE_API_OPTIONS = Symbol.for('nestjs-resource-api: RESOURCE_API_OPTIONS');

/** @internal Token of {@link CompiledOptions}: the options checked and with their defaults. */
export const COMPILED_OPTIONS = Symbol.for('nestjs-resource-api: COMPILED_OPTIONS');

/** @internal Token of {@link RowRules}, or of nothing where the host gives no rules. */
export const ROW_RULES = Symbol.for('nestjs-resource-api: ROW_RULES');

/** @internal Token of {@link RestSettings}. */
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
