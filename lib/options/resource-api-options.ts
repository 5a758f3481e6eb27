import type {
  CanActivate,
  InjectionToken,
  ModuleMetadata,
  NestInterceptor,
  OptionalFactoryDependency,
  PipeTransform,
  Type,
} from '@nestjs/common';
import type { DataClient } from '../executor/data-client.js';
import type { ApiError } from '../errors/api-error.js';
import type { IdempotencyOptions } from './idempotency-options.js';
import type { McpMountOptions, McpOptions } from './mcp-options.js';
import type { Limits } from '../model/limits.js';
import type { ResourceSchema } from '../model/schema/resource-schema.js';
import type { RulesOption } from '../rules/rules-option.js';
import type { CountMode } from './rest-settings.js';
import type { ResourcesOption } from '../model/exposure/resources-option.js';
import type { PlatformRequest } from '../http/platform-request.js';

/** Options of {@link ResourceApiModule.forRoot}. */
export interface ResourceApiOptions<Schema extends ResourceSchema = ResourceSchema> extends RegistrationOptions, RuntimeOptions<Schema> {
  /** The REST style. If it is left out, REST is off. */
  readonly rest?: RestOptions;
  /** The RPC style; `true` uses its defaults. If it is left out, RPC is on exactly when REST is off (specification, section 1). */
  readonly rpc?: RpcOptions | boolean;
  /** An endpoint for AI agents. If it is left out, MCP is off. */
  readonly mcp?: McpOptions;
}

/** Options that an asynchronous factory can return. */
export interface RuntimeOptions<Schema extends ResourceSchema = ResourceSchema> {
  /** The models: `resourceSchema`, as the generator writes it. */
  readonly schema: Schema;
  /**
   * Returns the data client of one request. It is called once per request, after the guards, and only if the request is well-formed. If it
   * takes no parameter, it is also called once at boot: see `bootClient`. It can be left out if a global module provides `DATA_CLIENT`. If
   * it does not return an object, the response is 500.
   * @param request the request of Express or Fastify
   */
  readonly getClient?: GetClient;
  /**
   * A data client that exists before the first request, e.g. `prisma`. At boot, `schema` is compared with its data model.
   * @default what `getClient` gives, where it takes no parameter; else the first request's client is compared
   */
  readonly bootClient?: DataClient;
  /** The models and fields that the API exposes, and their public names. @default everything */
  readonly resources?: ResourcesOption<NoInfer<Schema>>;
  /**
   * Functions that return whether a caller holds a grant, by the names that `resources` uses: `granted('hr')`. Each function is called
   * once per request, after the guards, interceptors and pipes. If it throws or returns no boolean, the response is 500. An ApiError or
   * `HttpException` that it throws is the response itself.
   *
   * @example
   * grants: { staff: ({ callerId }: CallerRequest) => callerId !== undefined }
   */
  readonly grants?: GrantsOption;
  /**
   * The rows that a caller may read and write, for every exposed model: see `defineRules`. If it is left out, all rows that the data client
   * can see.
   */
  readonly rules?: RulesOption;
  /**
   * Query hooks and overrides of the data client's extensions (`$extends`) that rules, hooks and soft delete may bypass, as `model.operation`.
   * These features may execute one operation as another, such as `delete` as `deleteMany`, which does not run the hook of `delete`. A hook that
   * would be bypassed and is not listed here is an error.
   * @default none
   *
   * @example
   * bypassedHooks: ['post.delete', '$allModels.upsert']
   */
  readonly bypassedHooks?: readonly string[];
  /**
   * `'public'` declares that the API is public. The log then does not warn of an API without guards, rules or a client per caller. Nothing
   * else changes.
   */
  readonly access?: 'public';
  /**
   * Executes a write with the header `Idempotency-Key` once, however often the client repeats it. The response is stored in the transaction of the
   * write, and replayed for the repetitions.
   * @default off: the header is ignored
   *
   * @example
   * idempotency: { caller: ({ callerId }: CallerRequest) => String(callerId ?? '') }
   */
  readonly idempotency?: IdempotencyOptions<NoInfer<Schema>>;
  /**
   * Whether concurrent requests with the same read share its result: round trips on a pool, totals, and the `findUnique` calls of one tick. `true`
   * declares that all connections of the data client see the same rows for every caller. Requests under row rules, or on clients that are bound to
   * a caller, never share.
   * @default false
   */
  readonly shareReads?: boolean;
  /** Cost ceilings. @default {@link DEFAULT_LIMITS} */
  readonly limits?: Partial<Limits>;
  /**
   * Maps errors that the data layer throws to an `ApiError`, before the package maps them. Return `undefined` to leave an error to the
   * package.
   */
  readonly mapError?: (error: unknown) => ApiError | undefined;
  /**
   * Called when the engine of a data client has failed: Prisma's query compiler has panicked, and has failed on another query as well.
   * Replace the client by a new one, or end the process. The current request is answered with 503. A panic that only one query causes is
   * answered with 400.
   * @param client the client that `getClient` returned for the request
   */
  readonly onClientBroken?: (client: DataClient, error: unknown) => void;
}

/**
 * A function that returns the data client of one request.
 *
 * It is declared as a method, so that its parameter is bivariant and your application can use its own request type, e.g.
 * `(request: Request & { user: User }) => …`.
 */
export type GetClient = { bivarianceHack(request: PlatformRequest): DataClient | Promise<DataClient> }['bivarianceHack'];

/** Functions that return whether a caller holds a grant, by the name of the grant. */
export type GrantsOption = Readonly<Record<string, Grant>>;

/**
 * A function that returns whether the caller of a request holds a grant.
 *
 * It is declared as a method: see {@link GetClient}.
 *
 * @param request the request of Express or Fastify
 */
export type Grant = { bivarianceHack(request: PlatformRequest): boolean | Promise<boolean> }['bivarianceHack'];

/** Options that decide routes. They cannot come from a factory, because Nest reads routes when it loads the module. */
export interface RegistrationOptions {
  /** Guards of this module's routes only: classes (with injection) or instances. */
  readonly guards?: readonly (Type<CanActivate> | CanActivate)[];
  /** Interceptors of this module's routes only. They receive the response as an `ApiReply`. */
  readonly interceptors?: readonly (Type<NestInterceptor> | NestInterceptor)[];
  /** Pipes of this module's routes only. They receive path parameters, never a body. */
  readonly pipes?: readonly (Type<PipeTransform> | PipeTransform)[];
  /**
   * Whether other modules can inject `DATA_CLIENT` and `RESOURCE_MODEL` without importing this one, as in every Nest module.
   * @default false
   */
  readonly isGlobal?: boolean;
}

/** Options of the routes of a style. */
export interface MountOptions {
  /** Path under which the routes are mounted, below Nest's global prefix and version. @default '' */
  readonly prefix?: string;
}

/** Options of the routes of the REST style. */
export interface RestMountOptions extends MountOptions {
  /**
   * The endpoint of JSON:API's Atomic Operations extension, `POST /operations`: one request with several writes in one transaction.
   * @default off
   */
  readonly operations?: boolean | OperationsOptions;
}

/** Options of the endpoint of atomic operations. */
export interface OperationsOptions {
  /** The path of the endpoint below the prefix, one segment. It must not be that of a resource type. @default 'operations' */
  readonly path?: string;
  /**
   * The maximum number of operations in a request. More than `limits.maxBatchSize` is a ConfigurationError.
   * @default 100, or `limits.maxBatchSize` where that is less
   */
  readonly maxOperations?: number;
  /** The deadline of a request, in milliseconds. @default `limits.maxDuration` */
  readonly timeout?: number;
}

/** Options of the REST style. */
export interface RestOptions extends RestMountOptions {
  /**
   * Base URL of the REST API, prefix included: an absolute http(s) URL without query and fragment. Every link begins with it. It is never
   * taken from the `Host` header.
   */
  readonly endpoint: string;
  /**
   * Page size of requests that name none; `Infinity` turns pagination off. More than `maxPageSize` or `limits.maxTake` is a
   * ConfigurationError.
   * @default 100, or `limits.maxTake` where that is less
   */
  readonly pageSize?: number;
  /** Largest `page[limit]` and `page[size]`. @default 1000, or `pageSize` if that is more */
  readonly maxPageSize?: number;
  /** Whether responses follow JSON:API to the letter: ids and status are strings, and foreign keys are no attributes. @default false */
  readonly strict?: boolean;
  /**
   * Joins the parts of a compound id. It is escaped inside a part. White space and the characters `\ / ? # % ,` are not allowed.
   * @default '_'
   */
  readonly idDivider?: string;
  /**
   * Secrets that encrypt the cursors of pages, each of at least 32 bytes. The first one encrypts; the others only decrypt. Instances that
   * serve the same clients need the same secrets.
   *
   * @default random for each process: cursors end with it, and other instances cannot read them
   */
  readonly cursorKeys?: readonly string[];
  /** Whether `If-Match` accepts tags that a proxy has weakened (`W/`), which RFC 9110 forbids. @default false */
  readonly acceptWeakTags?: boolean;
  /**
   * How collections count their total. With `'none'`, `meta.total` and `links.last` are absent. With `'estimated'` (PostgreSQL), the total is
   * exact up to 10,000 rows, and an estimate of the query planner beyond. A request can choose a cheaper mode with `Prefer`.
   * @default 'exact'
   */
  readonly count?: CountMode | CountOptions;
  /**
   * Whether a client can export a collection as NDJSON or CSV, by `Accept`: `GET` then streams all of its rows in constant memory.
   * @default false
   */
  readonly export?: boolean | ExportOptions;
}

/** Options of exports. */
export interface ExportOptions {
  /** Options of the CSV format. */
  readonly csv?: CsvOptions;
  /** Whether a client can export from one snapshot of the database, by `Prefer: snapshot`. On PostgreSQL only. @default false */
  readonly snapshot?: boolean | SnapshotOptions;
}

/** Options of exports from a snapshot. Each is a transaction, which occupies a connection until the client has received all rows. */
export interface SnapshotOptions {
  /** The deadline of one export: milliseconds, or a text such as `'5m'`; at most 24 days. @default '5m' */
  readonly maxDuration?: number | string;
  /** The maximum number of concurrent exports from a snapshot. @default 2 */
  readonly max?: number;
}

/** Options of CSV exports. */
export interface CsvOptions {
  /**
   * Whether texts that begin with `=`, `+`, `-`, `@`, a tab or a carriage return are prefixed with an apostrophe. Spreadsheets would
   * otherwise run them as formulas.
   * @default true
   */
  readonly escapeFormulas?: boolean;
  /** Whether a CSV file begins with a byte order mark, by which Excel recognizes UTF-8. @default false */
  readonly bom?: boolean;
}

/** Options of how collections count their total. */
export interface CountOptions {
  /** The mode of requests that prefer no other one. @default 'exact' */
  readonly default?: CountMode;
  /** The most expensive mode that a request can choose by `Prefer: count=…`. @default that of `default` */
  readonly most?: CountMode;
  /** The number of rows up to which an estimated total is exact. @default 10_000 */
  readonly exactUpTo?: number;
}

/** Options of the RPC style. */
export interface RpcOptions extends MountOptions {
  /**
   * The encoding of `Bytes` in responses: base64 with the custom superjson type `Bytes`, or superjson's own typed array.
   * @default 'base64'
   */
  readonly bytes?: 'base64' | 'typed-array';
  /** Whether `GET /$describe` describes to each caller what that caller can see and do. @default true */
  readonly describe?: boolean;
}

/** Options that a factory of {@link ResourceApiModule.forRootAsync} returns. */
export interface ResourceApiFactoryOptions<Schema extends ResourceSchema = ResourceSchema> extends RuntimeOptions<Schema> {
  /** Required if `forRootAsync` has the option `rest`. */
  readonly rest?: Omit<RestOptions, keyof RestMountOptions>;
  /** Options of RPC. A ConfigurationError if `forRootAsync` has turned RPC off. */
  readonly rpc?: Omit<RpcOptions, 'prefix'>;
  /** Options of MCP. A ConfigurationError if `forRootAsync` has no option `mcp`. */
  readonly mcp?: Omit<McpOptions, keyof McpMountOptions>;
}

/** Options of {@link ResourceApiModule.forRootAsync}: those that decide routes, and one of three factories, which returns all others. */
export interface ResourceApiAsyncOptions extends RegistrationOptions, Pick<ModuleMetadata, 'imports'> {
  /** The routes of REST. The factory returns the other options of REST, at least `endpoint`. If it is left out, REST is off. */
  readonly rest?: RestMountOptions;
  /** The routes of RPC; `true` uses the defaults. @default on exactly when `rest` is absent */
  readonly rpc?: MountOptions | boolean;
  /** The route of MCP. If it is left out, MCP is off. */
  readonly mcp?: McpMountOptions;
  /** Providers that are passed to `useFactory`. They must not be request-scoped. */
  readonly inject?: (InjectionToken | OptionalFactoryDependency)[];
  /** A function that returns the other options. */
  readonly useFactory?: (...dependencies: never[]) => ResourceApiFactoryOptions | Promise<ResourceApiFactoryOptions>;
  /** A class whose `createResourceApiOptions()` returns the other options. Nest creates it. */
  readonly useClass?: Type<ResourceApiOptionsFactory>;
  /** The token of an existing provider whose `createResourceApiOptions()` returns the other options. */
  readonly useExisting?: InjectionToken<ResourceApiOptionsFactory>;
}

/** A provider that `useClass` or `useExisting` names. */
export interface ResourceApiOptionsFactory {
  createResourceApiOptions(): ResourceApiFactoryOptions | Promise<ResourceApiFactoryOptions>;
}
