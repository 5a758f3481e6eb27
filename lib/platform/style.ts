import type { Type } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import type { Limits } from '../model/limits.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { ApiReply, ApiRequest } from '../http/api-request.js';
import type { ResourceOperation } from './resource-operation.js';
import type { ApiStyle } from '../options/api-style.js';
import type { PlatformRequest } from '../http/platform-request.js';

/**
 * A protocol that the platform serves: its endpoints, how it parses and executes requests, and how it renders errors. The module passes the
 * styles to the platform, which imports none of them.
 */
export interface Style {
  readonly name: ApiStyle;
  /** Content type of its responses. */
  readonly mediaType: string;
  /** The request headers that its responses depend on, for `Vary`. */
  readonly vary: string;
  readonly endpoints: readonly Endpoint[];
  /** The valid paths, for the error of an unknown path. */
  readonly pathHint: string;
  /** Names of the protocol, which an error may quote in addition to those of the model. */
  readonly words: ReadonlySet<string>;
  /** Whether the first segment of a path below a mount, in lower case, names a resource or another endpoint of the style. */
  names(segment: string, model: ResourceModel): boolean;
  /**
   * Parses the operation of a request for the guards. Invalid requests are rejected after the guards, when `execute` parses them.
   */
  read(endpointRequest: EndpointRequest, context: StyleContext): Reading;
  /** Renders an error as a response. */
  renderError(error: ApiError, options: ErrorContext): ApiReply;
  /** Returns the error of a guard with the index of an operation in a batch, from 0. Absent if the style has no place for it. */
  atOperation?(error: ApiError, index: number): ApiError;
  /** The class of the service that executes its operations. */
  readonly service: Type<StyleService>;
}

/** The failed request, for a rendered error. */
export interface ErrorContext {
  /** The option `rest.strict`. */
  readonly strict: boolean;
  /** Identifies the error in the log; undefined if it was not logged. */
  readonly id: string | undefined;
  /** The request, and where it has arrived. */
  readonly failed?: {
    readonly request: Pick<PlatformRequest, 'url'>;
    readonly point?: { readonly context: StyleContext; readonly paths: readonly string[] };
  };
}

/** A path of a style with its parameters. */
export interface Endpoint {
  /** The value of `getHandler().name` in guards and interceptors. */
  readonly name: string;
  /** The path below the mount, with its parameters: `:type/:id`; `''` for the path of the mount itself. */
  readonly path: string;
  /** Whether guards of the module run once for a request, or once for each operation in it. */
  readonly guarded: 'request' | 'operation';
  /** Content type of its responses and errors, if it is not that of the style. */
  readonly mediaType?: string;
}

/** A request that has reached an endpoint. */
export interface EndpointRequest {
  readonly endpoint: Endpoint;
  /** The parameters of the path, percent-decoded. */
  readonly params: PathParams;
  readonly request: ApiRequest;
}

/** The parameters of a path, by their names in {@link Endpoint.path}. */
export type PathParams = Readonly<Record<string, string>>;

/** The model, limits and options of a style, fixed at boot. */
export interface StyleContext {
  /** The model of callers with all grants, because guards run before grants are evaluated. */
  readonly model: ResourceModel;
  readonly limits: Limits;
  /** The checked options of the style, which only the style reads. */
  readonly settings: object | undefined;
}

/** The parsed operation of a request. */
export interface Reading {
  readonly operation: ResourceOperation;
  /** What the style has parsed already, and executes unchanged, e.g. the operations of a batch. */
  readonly parsed?: unknown;
  /** The error of a request that must be rejected before the guards of the module run, such as a batch of too many operations. */
  readonly refusal?: ApiError;
  /** The part of the body that identifies the write of an idempotency key. Absent if that is the whole body. */
  readonly keyed?: unknown;
  /** Whether the write is rolled back, so that it takes no idempotency key. */
  readonly isDryRun?: true;
}

/** The reading of a request with one operation, which is created on first access. Without guards it is never accessed. */
export class OneOperation implements Reading {
  #operation: ResourceOperation | undefined;

  constructor(private readonly make: () => ResourceOperation) {}

  get operation(): ResourceOperation {
    return (this.#operation ??= this.make());
  }
}

/** A service that executes the operations of a style. */
export interface StyleService {
  /**
   * Executes the operation of a request.
   *
   * @param surface the model as it is exposed to the caller
   * @throws ApiError, or what the data layer throws
   */
  execute(endpointRequest: EndpointRequest, reading: Reading, surface: ResourceModel): Promise<ApiReply>;
  /**
   * Renders the outcome of {@link execute}, or the reply of an earlier request that had the same idempotency key. Absent if the style sends
   * them as they are.
   */
  render?(endpointRequest: EndpointRequest, reading: Reading, outcome: Promise<ApiReply>): Promise<ApiReply>;
}

/** Creates the error for a path below a mount that has no endpoint. */
export function unknownPathError({ pathHint }: Style): ApiError {
  return new ApiError('invalid-path', `There is nothing at this path. ${pathHint}`);
}
