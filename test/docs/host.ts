// Compiled, never run: what the app of a reader has, for the snippets of the docs that use it without a word.
import type {
  ActionOf,
  DtoClass,
  PlatformRequest,
  Problem,
  ResourceApiOptions,
  ResourceModel,
  RulesOption,
  ZenStackSchema,
} from 'nestjs-resource-api';
import type { QueryClient, QueryObserverOptions } from '@tanstack/query-core';
import type { RpcClient } from 'nestjs-resource-api/client';
import type { ResourceApiDataProvider } from 'nestjs-resource-api/react-admin';
import type { InfiniteRpcQueryOptions, RpcMutationOptions } from 'nestjs-resource-api/tanstack-query';
import type { Pool } from 'pg';
import type { z } from 'zod';
import type { CanActivate, DynamicModule, ExecutionContext, INestApplication, Logger, Type } from '@nestjs/common';
import type { Prisma, PrismaClient } from '../../sample/blog/src/generated/prisma/client.js';
import type { PrismaClient as CatalogPrisma } from '../support/generated/prisma/client.js';
import type { resourceSchema } from '../../sample/blog/src/generated/resource-schema.js';

export * from 'nestjs-resource-api';
export * from 'nestjs-resource-api/client';
export * from 'nestjs-resource-api/tanstack-query';
export * from 'nestjs-resource-api/testing';
export * from '@nestjs/common';
export * from '@nestjs/core';
export * from '@nestjs/platform-fastify';
export { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
export * from '@nestjs/testing';
export { PrismaPg } from '@prisma/adapter-pg';
export { Pool } from 'pg';
export type { IncomingMessage, Server, ServerResponse } from 'node:http';
export { IsEmail, IsOptional } from 'class-validator';
export { Prisma, PrismaClient } from '../../sample/blog/src/generated/prisma/client.js';
export { resourceSchema } from '../../sample/blog/src/generated/resource-schema.js';

export declare const app: INestApplication;
export declare const adapter: NonNullable<Prisma.PrismaClientOptions['adapter']>;
export declare const prisma: PrismaClient;
export declare const primary: PrismaClient;
export declare const replica: PrismaClient;
export declare const api: RpcClient<PrismaClient>;
export declare const dataProvider: ResourceApiDataProvider;
export declare const AppModule: Type;

/** The options that a snippet leaves out as `…`. */
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

export declare const rules: RulesOption;
export declare const CallerGuard: Type<CanActivate>;
export declare const JwtGuard: Type<CanActivate>;
export declare const RolesGuard: Type<CanActivate>;
export declare function isEditor(context: ExecutionContext): boolean;

/** Of docs/own-code.md, as its typed client sees it. */
export declare class PostActions {
  publish(given: ActionOf<PrismaClient, 'Post', { notify?: string }>): Promise<Prisma.PostGetPayload<object>>;
  purge(given: ActionOf<PrismaClient, 'Post'>): Promise<{ readonly purged: number }>;
}

/** Of `@nestjs/jwt`. */
export declare class JwtService {
  verifyAsync<Payload>(token: string): Promise<Payload>;
}

export declare const JwtModule: {
  register(options: { readonly global: boolean; readonly secret: string | undefined }): DynamicModule;
};

/** Of `@nestjs/throttler`. */
export declare const ThrottlerGuard: Type<CanActivate>;
export declare const ThrottlerModule: { forRoot(options: readonly { readonly ttl: number; readonly limit: number }[]): DynamicModule };

/** Of `helmet`. */
// eslint-disable-next-line import-x/no-default-export -- as the package has it
export default function helmet(): (request: object, response: object, next: () => void) => void {
  throw new Error('Compiled, never run.');
}

export declare const UserDto: DtoClass;
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
export declare const authorToken: string;

export declare const user: { readonly isAdmin: boolean };
export declare const db: ZenStackClient;
export declare const model: ResourceModel;
export declare const logger: Logger;
export declare const pool: Pool;
export declare const problems: readonly Problem[];
export declare const data: Prisma.PostCreateInput;
export declare const title: string;
export declare function token(): string;
export declare function isAdmin(context: ExecutionContext): boolean;
export declare const DatabaseModule: Type;
export declare const BlogApiModule: Type;
export declare class PrismaService extends PrismaClient {}

/** Of `@nestjs/config`. */
export declare class ConfigService {
  getOrThrow(name: string): string;
}

/** Of a second Prisma schema. */
export { resourceSchema as catalogSchema } from '../support/generated/resource-schema.js';
export declare const catalog: CatalogPrisma;

/** TanStack Query's, as its adapter for React has them. */
export declare const queryClient: QueryClient;
export declare function useQuery<Data>(options: QueryObserverOptions<Data>): { readonly data: Data | undefined };
export declare function useInfiniteQuery<Page>(options: InfiniteRpcQueryOptions<Page>): {
  readonly data: { readonly pages: readonly Page[] } | undefined;
};
export declare function useMutation<Variables, Data>(
  options: RpcMutationOptions<Variables, Data>,
): { readonly mutate: (variables: Variables) => void };

/** An error of the reader's data layer. */
export declare class QuotaError extends Error {}

/** Of an error tracker. */
export declare function captureMessage(message: string, context: { readonly level: string; readonly extra: object }): void;

/** What `openapi-typescript` writes of an API, cut down to two calls. */
export interface paths {
  readonly '/api/rest/post': { readonly get: Operation<{ filter?: { published?: boolean }; page?: { limit?: number } }> };
  readonly '/api/rpc/post/findMany': { readonly get: Operation<{ q?: string }> };
}

export interface components {
  readonly schemas: { readonly PostFindManyArgs: { where?: object; take?: number } };
}

interface Operation<Query> {
  readonly parameters: { readonly query?: Query };
  readonly responses: { readonly 200: { readonly content: { readonly 'application/json': { readonly data: readonly object[] } } } };
}

/** Sends mail. */
export declare class MailService {
  send(text: string): Promise<void>;
}
