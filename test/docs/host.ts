// Compiled, never run: what the app of a reader has, for the snippets of the docs that use it without a word.
import {
  type DtoClass,
  type PlatformRequest,
  type Problem,
  type ResourceApiOptions,
  type ResourceModel,
  type ZenStackSchema,
} from 'nestjs-resource-api';
import { type RpcClient } from 'nestjs-resource-api/client';
import { type z } from 'zod';
import { type CanActivate, type ExecutionContext, type INestApplication, type Logger, type Type } from '@nestjs/common';
import { type Prisma, type PrismaClient } from '../../sample/blog/src/generated/prisma/client.js';
import { type PrismaClient as CatalogPrisma } from '../support/generated/prisma/client.js';
import { type resourceSchema } from '../../sample/blog/src/generated/resource-schema.js';

export * from 'nestjs-resource-api';
export * from 'nestjs-resource-api/client';
export * from 'nestjs-resource-api/testing';
export * from '@nestjs/common';
export * from '@nestjs/core';
export * from '@nestjs/platform-fastify';
export * from '@nestjs/testing';
export { IsEmail, IsOptional } from 'class-validator';
export { Prisma, PrismaClient } from '../../sample/blog/src/generated/prisma/client.js';
export { resourceSchema } from '../../sample/blog/src/generated/resource-schema.js';

export declare const app: INestApplication;
export declare const prisma: PrismaClient;
export declare const primary: PrismaClient;
export declare const replica: PrismaClient;
export declare const api: RpcClient<PrismaClient>;
export declare const AppModule: Type;

/** Where a snippet says `…`. */
export declare const unsaid: Pick<ResourceApiOptions<typeof resourceSchema>, 'schema' | 'rest' | 'rpc'>;

export interface Caller {
  readonly sub: string;
  readonly roles: readonly string[];
}

export interface CallerRequest extends PlatformRequest {
  readonly callerId?: number;
  readonly caller?: Caller;
}

export interface TenantRequest extends PlatformRequest {
  readonly tenant?: string;
}

export declare const CallerGuard: Type<CanActivate>;
export declare const JwtGuard: Type<CanActivate>;
export declare const RolesGuard: Type<CanActivate>;
export declare function isEditor(context: ExecutionContext): boolean;

/** Of `@nestjs/jwt`. */
export declare class JwtService {
  verifyAsync<Payload>(token: string): Promise<Payload>;
}

export declare const CreateUserDto: DtoClass;
export declare const UpdateUserDto: DtoClass;
export declare const PostSchema: z.ZodObject;

/** Of `@zenstackhq/orm`. */
export declare const schema: ZenStackSchema;
export declare const dialect: object;
export declare class PolicyPlugin {
  readonly id: string;
}
export declare class ZenStackClient {
  constructor(schema: ZenStackSchema, options: { readonly dialect: object });
  $use(plugin: PolicyPlugin): this;
  $setAuth(caller: Caller | undefined): this;
}

export interface TestTransaction {
  readonly client: () => Promise<Prisma.TransactionClient>;
  readonly undo: () => Promise<void>;
}

export declare function beginTest(prisma: PrismaClient): Promise<TestTransaction>;

export declare const seededHash: string;
export declare const readerToken: string;

export declare const user: { readonly isAdmin: boolean };
export declare const db: ZenStackClient;
export declare const model: ResourceModel;
export declare const logger: Logger;
export declare const problems: readonly Problem[];
export declare const data: Prisma.PostCreateInput;
export declare const title: string;
export declare function token(): string;
export declare function isAdmin(context: ExecutionContext): boolean;
export declare const DatabaseModule: Type;
export declare class PrismaService extends PrismaClient {}

/** Of `@nestjs/config`. */
export declare class ConfigService {
  getOrThrow(name: string): string;
}

/** Of a second Prisma schema. */
export { resourceSchema as catalogSchema } from '../support/generated/resource-schema.js';
export declare const catalog: CatalogPrisma;
