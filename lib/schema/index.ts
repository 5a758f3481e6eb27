/**
 * Types of the generated `resourceSchema` and of the option `resources`, for servers and clients: they import neither NestJS nor Prisma.
 *
 * @module nestjs-resource-api/schema
 */
export type * from '../model/schema/resource-schema.js';
export type {
  FieldOption,
  FieldRightsOption,
  ResourceOptions,
  ResourcesOption,
  ServerValueFunction,
  ServerValueOption,
  SoftDeleteOption,
} from '../model/exposure/resources-option.js';
