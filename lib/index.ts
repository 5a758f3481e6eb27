// The module and its options
export { ResourceApiModule } from './resource-api.module.js';
export {
  type GetClient,
  type MountOptions,
  type PlatformRequest,
  type RegistrationOptions,
  type ResourceApiAsyncOptions,
  type ResourceApiFactoryOptions,
  type ResourceApiOptions,
  type ResourceApiOptionsFactory,
  type RestOptions,
  type RpcOptions,
  type RuntimeOptions,
} from './resource-api.options.js';

// Injection
export { DATA_CLIENT, RESOURCE_MODEL } from './resource-api.constants.js';
export { InjectDataClient } from './data-client/inject-data-client.decorator.js';
export { type DataClient } from './data-client/data-client.js';
export { type ResourceOperation, resourceOperation } from './platform/resource-operation.js';
export { type ApiReply } from './platform/api-request.js';
export { type ApiStyle } from './resource-api.module-definition.js';

// The schema metadata and the model made of it
export * from './model/resource-schema.js';
export * from './model/resource-model.js';
export { fromZenStackSchema } from './model/zenstack/from-zenstack-schema.js';
export { type ZenStackSchema } from './model/zenstack/zenstack-schema.js';
export { type FieldOption, type ResourceOptions, type ResourcesOption } from './model/resources-option.js';
export { type BodyValidator, type BodyValidators, type DtoClass, type StandardSchema } from './model/body-validator.js';
export { describeSurface, type SurfaceEntry, type SurfaceField, type SurfaceRelationship } from './model/describe-surface.js';
export { DEFAULT_LIMITS, type Limits } from './model/limits.js';

// Errors
export { ApiError, type ApiErrorOptions, type Problem, type ProblemSource } from './errors/api-error.js';
export { AccessDeniedError } from './errors/access-denied-error.js';
export { ConfigurationError } from './errors/configuration-error.js';
export { ERROR_CATALOGUE, type ErrorCode } from './errors/error-catalogue.js';

// Access policies
export { type RowLevelSecurityClient, withRowLevelSecurity } from './policy/with-row-level-security.js';
export { type RowLevelSecurityOptions, type SettingValue } from './policy/binding-statement.js';
