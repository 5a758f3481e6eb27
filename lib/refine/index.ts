/**
 * Data and access control providers of refine, on the typed RPC client. Needs neither NestJS nor Prisma, and imports types of refine alone.
 *
 * @module nestjs-resource-api/refine
 */
export type { AdminClient } from '../admin-data/admin-client.js';
export { type FieldErrors, HttpError, type HttpErrorBody } from '../admin-data/http-error.js';
export { type InputKind, type ResourceDefinition, resourceDefinitions, type ResourceField } from '../admin-data/resource-definitions.js';
export { refineAccessControlProvider } from './access-control-provider.js';
export { refineDataProvider } from './data-provider.js';
