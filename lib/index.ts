// The module and its options
export { ResourceApiModule } from './resource-api.module.js';
export type {
  GetClient,
  MountOptions,
  PlatformRequest,
  RegistrationOptions,
  ResourceApiAsyncOptions,
  ResourceApiFactoryOptions,
  ResourceApiOptions,
  ResourceApiOptionsFactory,
  RestOptions,
  RpcOptions,
  RuntimeOptions,
} from './resource-api.options.js';

// Injection
export { DATA_CLIENT, RESOURCE_MODEL } from './resource-api.constants.js';
export { InjectDataClient } from './data-client/inject-data-client.decorator.js';
export type { DataClient } from './data-client/data-client.js';
export { type ResourceOperation, resourceOperation } from './platform/resource-operation.js';
export type { ApiReply } from './platform/api-request.js';
export type { ApiStyle } from './platform/style.js';

// The schema metadata and the model made of it
export type * from './model/schema/resource-schema.js';
export type * from './model/surface/surface.js';
export type * from './model/storage/storage.js';
export type { ResourceModel } from './model/resource-model.js';
export { fromZenStackSchema } from './model/schema/zenstack/from-zenstack-schema.js';
export type { ZenStackSchema } from './model/schema/zenstack/zenstack-schema.js';
export type { ComputedFields, ComputedType, FieldOption, ResourceOptions, ResourcesOption } from './model/exposure/resources-option.js';
export type { BodyValidator, BodyValidators, DtoClass, StandardSchema } from './model/surface/body-validator.js';
export { describeSurface, type SurfaceEntry, type SurfaceField, type SurfaceRelationship } from './model/surface/describe-surface.js';
export { DEFAULT_LIMITS, type Limits } from './model/limits.js';

// OpenAPI
export { createOpenApiDocument, type DocsOptions, mergeOpenApi } from './resource-api.documents.js';
export type { OpenApiOptions } from './openapi/create-document.js';
export { forSwaggerUi } from './openapi/for-swagger-ui.js';
export type { OpenApiDocument, SecurityRequirement, SecurityScheme } from './openapi/open-api.js';

// Errors
export { ApiError, type ApiErrorOptions, type Problem, type ProblemSource } from './errors/api-error.js';
export { AccessDeniedError } from './errors/access-denied-error.js';
export { ConfigurationError } from './errors/configuration-error.js';
export { ERROR_CATALOGUE, type ErrorCode } from './errors/error-catalogue.js';

// Access policies
export { defineRules, type RulesOf } from './rules/define-rules.js';
export type { Condition, ModelRules, Rule, RuleFunction, RulesOption, UpdateRule, Where } from './rules/rules-option.js';
export { type RowLevelSecurityClient, withRowLevelSecurity } from './policy/with-row-level-security.js';
export type { RowLevelSecurityOptions, SettingValue } from './policy/binding-statement.js';

// SQL reads
export { type SqlReadsOptions, withSqlReads } from './sql/with-sql-reads.js';
export type { DeclinedSqlRead } from './sql/sql-reads.js';
export type { SqlConnection, SqlPool, SqlQuery, SqlResult } from './sql/sql-pool.js';
