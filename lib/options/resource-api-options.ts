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
import type { Limits } from '../model/limits.js';
import type { ResourceSchema } from '../model/schema/resource-schema.js';
import type { RulesOption } from '../rules/rules-option.js';
import type { CountMode } from './rest-settings.js';
import type { ResourcesOption } from '../model/exposure/resources-option.js';
import type { PlatformRequest } from '../http/platform-request.js';

/** Options of {@link ResourceApiModule.forRoot}. */
export interface ResourceApiOptions<Schema extends ResourceSchema = ResourceSchema> extends RegistrationOptions, RuntimeOptions<Schema> {
  /** The REST style. Left out: no REST. */
  readonly rest?: RestOptions;
  /** The RPC style; `true` for its defaults. Left out: RPC is on exactly when REST is off (specification, section 1). */
  readonly rpc?: RpcOptions | boolean;
}

/** What may come from an asynchronous factory. */
export interface RuntimeOptions<Schema extends ResourceSchema = ResourceSchema> {
  /** The models: `resourceSchema`, as the generator writes it. */
  readonly schema: Schema;
  /**
   * Gives the data client for one request; called once per request, after the guards, and only for requests that are well-formed. Where it
   * takes no parameter it is called once at boot, too: see `bootClient`.
   * May be left out where a global module provides `DATA_CLIENT`.
   * @param request the platform's request: Express' or Fastify's
   */
  readonly getClient?: GetClient;
  /**
   * A data client that is there before any request, e.g. `prisma`: `schema` is compared with its data model at boot.
   * @default what `getClient` gives, where it takes no parameter; else the first request's client is compared
   */
  readonly bootClient?: DataClient;
  /** What is exposed, and under which names. @default everything */
  readonly resources?: ResourcesOption<NoInfer<Schema>>;
  /**
   * What callers may be granted, by names that `resources` uses: `granted('hr')`. Each function is called at most once a request, after the guards,
   * and only for requests about models whose rights depend on grants.
   *
   * @example
   * grants: { staff: ({ callerId }: CallerRequest) => callerId !== undefined }
   */
  readonly grants?: GrantsOption;
  /**
   * Which rows a caller may read and write, for every model that is exposed: see `defineRules`. Left out: all rows that the data client shows.
   */
  readonly rules?: RulesOption;
  /**
   * Query hooks and overrides of the data client's extensions (`$extends`) that need not run, as `model.operation`. Rules, hooks and soft delete may make
   * an operation as another one, such as `delete` as `deleteMany`. A hook that would be bypassed is an error unless it is named here. @default none
   *
   * @example
   * bypassedHooks: ['post.delete', '$allModels.upsert']
   */
  readonly bypassedHooks?: readonly string[];
  /**
   * `'public'` says that everybody may use all that is open, so that the log does not warn of an API that nothing guards. It changes nothing else.
   */
  readonly access?: 'public';
  /**
   * Writes that come with the header `Idempotency-Key` have one effect, however often they are sent: their answer is kept in their own transaction, and
   * given again. @default off: the header is ignored
   *
   * @example
   * idempotency: { caller: ({ callerId }: CallerRequest) => String(callerId ?? '') }
   */
  readonly idempotency?: IdempotencyOptions<NoInfer<Schema>>;
  /**
   * Whether what one request reads may answer other requests that read the same at the same time: round trips on a pool, totals, and `findUnique` of one
   * tick. `true` states that all connections of the data client show the same rows, to any caller. Requests under row rules, and on clients that are
   * bound to a caller, never share. @default false
   */
  readonly shareReads?: boolean;
  /** Cost ceilings. @default {@link DEFAULT_LIMITS} */
  readonly limits?: Partial<Limits>;
  /** The host's own mapping of what its data layer throws, asked before ours; `undefined` leaves the error to us. */
  readonly mapError?: (error: unknown) => ApiError | undefined;
  /**
   * Called when the engine of a data client is found dead: Prisma's query compiler has panicked, and has failed on another query as well.
   * Replace the client by a new one, or end the process. The request at hand is answered 503. A panic over one query alone is answered 400.
   * @param client what `getClient` gave for the request
   */
  readonly onClientBroken?: (client: DataClient, error: unknown) => void;
}

/**
 * The data client of one request.
 *
 * A method signature, so that a host may name its own request type, e.g. `(request: Request & { user: User }) => …`.
 */
export type GetClient = { bivarianceHack(request: PlatformRequest): DataClient | Promise<DataClient> }['bivarianceHack'];

/** Whether a caller holds each grant. */
export type GrantsOption = Readonly<Record<string, Grant>>;

/**
 * Whether the caller of a request holds a grant.
 *
 * A method signature, as of {@link GetClient}.
 *
 * @param request the platform's request: Express' or Fastify's
 */
export type Grant = { bivarianceHack(request: PlatformRequest): boolean | Promise<boolean> }['bivarianceHack'];

/** What decides routes, so that it must be known synchronously. */
export interface RegistrationOptions {
  /** Guards of this module's routes only: classes (with injection) or instances. */
  readonly guards?: readonly (Type<CanActivate> | CanActivate)[];
  /** Interceptors of this module's routes only. They see the answer as a `ApiReply`. */
  readonly interceptors?: readonly (Type<NestInterceptor> | NestInterceptor)[];
  /** Pipes of this module's routes only. */
  readonly pipes?: readonly (Type<PipeTransform> | PipeTransform)[];
  /** As in every Nest module: whether `DATA_CLIENT` and `RESOURCE_MODEL` can be injected without importing the module. @default false */
  readonly isGlobal?: boolean;
}

/** Where a style is mounted. */
export interface MountOptions {
  /** Path under which the routes are mounted, below Nest's global prefix and version. @default '' */
  readonly prefix?: string;
}

/** What decides the routes of the REST style. */
export interface RestMountOptions extends MountOptions {
  /**
   * The endpoint of JSON:API's Atomic Operations extension, `POST /operations`: several writes of one request, all or none. @default off
   */
  readonly operations?: boolean | OperationsOptions;
}

/** Options of the endpoint of atomic operations. */
export interface OperationsOptions {
  /** Its path below the prefix, one segment. @default 'operations' */
  readonly path?: string;
  /** How many operations a request may have, at most `limits.maxBatchSize`. @default 100, or `limits.maxBatchSize` where that is less */
  readonly maxOperations?: number;
  /** Milliseconds that a request may take. @default `limits.maxDuration` */
  readonly timeout?: number;
}

/** Options of the REST style. */
export interface RestOptions extends RestMountOptions {
  /** Base URL of the REST API, the prefix included; every link begins with it. Never taken from the Host header. */
  readonly endpoint: string;
  /** Default page size; `Infinity` turns pagination off. @default 100, or `limits.maxTake` where that is less */
  readonly pageSize?: number;
  /** Largest `page[limit]` and `page[size]`. @default 1000, or `Infinity` when `pageSize` is */
  readonly maxPageSize?: number;
  /** JSON:API to the letter: string ids and status, no foreign keys among the attributes. @default false */
  readonly strict?: boolean;
  /** Joins the parts of a compound id; escaped inside a part. @default '_' */
  readonly idDivider?: string;
  /**
   * What cursors of pages are encrypted by, the current key first; older ones are only read by. Each has at least 32 bytes.
   *
   * @default random for each process: cursors end with it, and other instances cannot read them
   */
  readonly cursorKeys?: readonly string[];
  /** Whether `If-Match` takes tags that a proxy has weakened (`W/`), against the letter of RFC 9110. @default false */
  readonly acceptWeakTags?: boolean;
  /**
   * How collections count their total. `'none'`: `meta.total` and `links.last` are absent. `'estimated'` (PostgreSQL): exactly up to 10,000 rows, and by
   * the guess of the planner beyond. A request may prefer less. @default 'exact'
   */
  readonly count?: CountMode | CountOptions;
  /** Whether `GET` of a collection may be answered as NDJSON or CSV, by `Accept`: all of its rows, in constant memory. @default false */
  readonly export?: boolean | ExportOptions;
}

/** Options of exports. */
export interface ExportOptions {
  readonly csv?: CsvOptions;
  /** Whether a client may have an export from one moment, by `Prefer: snapshot`. On PostgreSQL. @default false */
  readonly snapshot?: boolean | SnapshotOptions;
}

/** Options of exports from a snapshot: each is a transaction, which holds a connection until the client has taken all of it. */
export interface SnapshotOptions {
  /** How long one may take: milliseconds, or a text like `'5m'`. @default '5m' */
  readonly maxDuration?: number | string;
  /** How many there may be at once. @default 2 */
  readonly max?: number;
}

/** Options of tables. */
export interface CsvOptions {
  /**
   * Whether texts that begin with `=`, `+`, `-`, `@`, a tab or a carriage return get an apostrophe before them, so that no spreadsheet runs them as formulas.
   * @default true
   */
  readonly escapeFormulas?: boolean;
  /** Whether a table begins with a byte order mark, by which Excel knows UTF-8. @default false */
  readonly bom?: boolean;
}

/** How collections count their total. */
export interface CountOptions {
  /** Unless a request prefers otherwise. @default 'exact' */
  readonly default?: CountMode;
  /** The most that a request may ask for by `Prefer: count=…`. @default that of `default` */
  readonly most?: CountMode;
  /** Up to how many rows an estimated total is exact. @default 10_000 */
  readonly exactUpTo?: number;
}

/** Options of the RPC style. */
export interface RpcOptions extends MountOptions {
  /** Form of Bytes in answers: base64 with the custom type `Bytes`, or superjson's own typed array. @default 'base64' */
  readonly bytes?: 'base64' | 'typed-array';
}

/** What a factory of {@link ResourceApiModule.forRootAsync} gives. */
export interface ResourceApiFactoryOptions<Schema extends ResourceSchema = ResourceSchema> extends RuntimeOptions<Schema> {
  /** Required with the registration option `rest`. */
  readonly rest?: Omit<RestOptions, keyof RestMountOptions>;
  readonly rpc?: Omit<RpcOptions, 'prefix'>;
}

/** Options of {@link ResourceApiModule.forRootAsync}: routes are given here, everything else by one of the three factories. */
export interface ResourceApiAsyncOptions extends RegistrationOptions, Pick<ModuleMetadata, 'imports'> {
  readonly rest?: RestMountOptions;
  /** @default on exactly when `rest` is absent */
  readonly rpc?: MountOptions | boolean;
  readonly inject?: (InjectionToken | OptionalFactoryDependency)[];
  readonly useFactory?: (...dependencies: never[]) => ResourceApiFactoryOptions | Promise<ResourceApiFactoryOptions>;
  readonly useClass?: Type<ResourceApiOptionsFactory>;
  readonly useExisting?: InjectionToken<ResourceApiOptionsFactory>;
}

/** What `useClass` and `useExisting` name. */
export interface ResourceApiOptionsFactory {
  createResourceApiOptions(): ResourceApiFactoryOptions | Promise<ResourceApiFactoryOptions>;
}
