export { ApiError, type ApiErrorOptions, type Problem, type ProblemSource } from './errors/api-error.js';
export { AccessDeniedError } from './errors/access-denied-error.js';
export { ConfigurationError } from './errors/configuration-error.js';
