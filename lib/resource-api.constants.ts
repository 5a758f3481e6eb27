/**
 * Token of the data client of the request at hand; request-scoped. Inject it with `@InjectDataClient()`, replace it in tests with
 * `overrideProvider(DATA_CLIENT)`.
 */
export const DATA_CLIENT = Symbol('nestjs-resource-api: DATA_CLIENT');

/** Token of the frozen {@link ResourceModel}. */
export const RESOURCE_MODEL = Symbol('nestjs-resource-api: RESOURCE_MODEL');

/** @internal Token of the host's options, as given. */
export const RESOURCE_API_OPTIONS = Symbol('nestjs-resource-api: RESOURCE_API_OPTIONS');

/** @internal Token of {@link CompiledOptions}: the options checked and with their defaults. */
export const COMPILED_OPTIONS = Symbol('nestjs-resource-api: COMPILED_OPTIONS');

/** @internal Token of {@link RestSettings}. */
export const REST_SETTINGS = Symbol('nestjs-resource-api: REST_SETTINGS');

/** @internal Token of {@link RpcSettings}. */
export const RPC_SETTINGS = Symbol('nestjs-resource-api: RPC_SETTINGS');

/** @internal Token of {@link Limits}. */
export const LIMITS = Symbol('nestjs-resource-api: LIMITS');

/** @internal Token of {@link RecordChecks}: the host's validators, ready to run. */
export const RECORD_CHECKS = Symbol('nestjs-resource-api: RECORD_CHECKS');

/** @internal Token of {@link Registration}. */
export const REGISTRATION = Symbol('nestjs-resource-api: REGISTRATION');
