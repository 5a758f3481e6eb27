// The module and its options
export { ResourceApiModule } from './module/resource-api.module.js';
export type {
  CountOptions,
  CsvOptions,
  ExportOptions,
  GetClient,
  Grant,
  GrantsOption,
  MountOptions,
  RegistrationOptions,
  ResourceApiAsyncOptions,
  ResourceApiFactoryOptions,
  ResourceApiOptions,
  ResourceApiOptionsFactory,
  RestOptions,
  RpcOptions,
  RuntimeOptions,
  SnapshotOptions,
} from './options/resource-api-options.js';

// Injection
export { DATA_CLIENT, RESOURCE_MODEL } from './options/tokens.js';
export { IdempotencyKeys } from './idempotency/idempotency-keys.service.js';
export type { IdempotencyOptions, KeyedAction } from './options/idempotency-options.js';
export type {
  Claim as IdempotencyClaim,
  IdempotencyStore,
  StoredRecord as IdempotencyRecord,
  StoredReply as IdempotencyReply,
  RecordId as IdempotencyRecordId,
} from './options/idempotency-store.js';
export { ResourceClients } from './own-code/resource-clients.service.js';
export { InjectDataClient } from './platform/inject-data-client.decorator.js';
export type { CountMode } from './options/rest-settings.js';
export type { McpMountOptions, McpOptions, McpResourceMetadata } from './options/mcp-options.js';
export type { DataClient } from './executor/data-client.js';
export { resourceOperation } from './platform/operation-context.js';
export type { ResourceOperation, Touch } from './platform/resource-operation.js';
export type { ApiReply } from './http/api-request.js';
export { ByteStream } from './http/byte-stream.js';
export type { ApiStyle } from './options/api-style.js';
export type { PlatformRequest } from './http/platform-request.js';

// The schema metadata, and the model that is built from it
export type * from './model/schema/resource-schema.js';
export type * from './model/surface/surface.js';
export type * from './model/storage/storage.js';
export type { GrantedModels, ResourceModel } from './model/resource-model.js';
export { fromZenStackSchema } from './model/schema/zenstack/from-zenstack-schema.js';
export type { ZenStackSchema } from './model/schema/zenstack/zenstack-schema.js';
export { type Granted, granted } from './model/exposure/granted.js';
export type {
  ActionsOption,
  ComputedFields,
  ComputedType,
  FieldOption,
  ResourceOptions,
  ResourcesOption,
  ServerValueFunction,
  ServerValueOption,
  SoftDeleteOption,
} from './model/exposure/resources-option.js';
export type { BodyValidator, BodyValidators, DtoClass, StandardSchema } from './model/surface/body-validator.js';
export {
  type DescribeOptions,
  describeSurface,
  type SurfaceEntry,
  type SurfaceField,
  type SurfaceRelationship,
} from './model/surface/describe-surface.js';
export { DEFAULT_LIMITS, type Limits } from './model/limits.js';

// OpenAPI
export { createOpenApiDocument, type DocsOptions, mergeOpenApi } from './module/openapi-documents.js';
export type { OpenApiOptions } from './openapi/create-document.js';
export { forSwaggerUi } from './openapi/for-swagger-ui.js';
export type { OpenApiDocument, SecurityRequirement, SecurityScheme } from './openapi/open-api.js';

// Errors
export { ApiError, type ApiErrorOptions, type Problem, type ProblemSource } from './errors/api-error.js';
export { AccessDeniedError } from './errors/access-denied-error.js';
export { ConfigurationError } from './errors/configuration-error.js';
export { ERROR_CATALOGUE, type ErrorCode } from './errors/error-catalogue.js';

// Actions and hooks of the application
export { ResourceAction, ResourceActions } from './actions/resource-actions.decorator.js';
export type { ActionOf, ResourceActionOptions } from './actions/action.js';

export { AfterCommit, AfterWrite, BeforeWrite, ResourceHooks } from './hooks/resource-hooks.decorator.js';
export type { AfterCommitOf, AfterWriteOf, BeforeWriteOf, BeforeWriteOptions, HookAction, HookChange, HookKey } from './hooks/hook.js';

// Access policies
export { bindRules, type BindRulesOptions } from './own-code/bind-rules.js';
export { defineRules, type RulesOf } from './rules/define-rules.js';
export { reason, type Reasoned } from './rules/reason.js';
export type { Condition, ModelRules, Rule, RuleFunction, RulesOption, UpdateRule, Where } from './rules/rules-option.js';
export { type RowLevelSecurityClient, withRowLevelSecurity } from './row-level-security/with-row-level-security.js';
export type { RowLevelSecurityOptions, SettingValue } from './row-level-security/binding-statement.js';

// SQL reads
export { type SqlOptions, type SqlReadsOptions, withSql, withSqlReads } from './sql/with-sql.js';
export type { DeclinedSqlRead } from './sql/client-sql.js';
export type { SqlConnection, SqlPool, SqlQuery, SqlResult } from './sql/sql-pool.js';
