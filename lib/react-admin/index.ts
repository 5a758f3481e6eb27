/**
 * A data provider of react-admin, on the typed RPC client. Needs neither NestJS nor Prisma, and imports types of react-admin alone.
 *
 * @module nestjs-resource-api/react-admin
 */
export type { AdminClient } from '../admin-data/admin-client.js';
export { type FieldErrors, HttpError, type HttpErrorBody } from '../admin-data/http-error.js';
export { type InputKind, type ResourceDefinition, resourceDefinitions, type ResourceField } from '../admin-data/resource-definitions.js';
export { type ActParams, type AdminMeta, reactAdminDataProvider, type ResourceApiDataProvider } from './data-provider.js';
