import type { Type } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import type { Limits } from '../model/limits.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { ApiReply, ApiRequest } from '../http/api-request.js';
import type { ResourceOperation } from './resource-operation.js';
import type { ApiStyle } from '../options/api-style.js';

/**
 * A protocol as the platform needs to know it: which routes it has, what a request to one of them means, and how its answers look. The
 * platform is given its styles by the module, and knows none of them.
 */
export interface Style {
  readonly name: ApiStyle;
  /** Content type of its answers. */
  readonly mediaType: string;
  /** The request headers that its answers depend on, for `Vary`. */
  readonly vary: string;
  readonly endpoints: readonly Endpoint[];
  /** What an unknown path is told about the known ones. */
  readonly pathHint: string;
  /** Names of the protocol itself, which an error may quote in addition to those of the model. */
  readonly words: ReadonlySet<string>;
  /** Whether the first segment of a path below a mount, in lower case, names something that is served there. */
  names(segment: string, model: ResourceModel): boolean;
  /** What a request means, as guards see it before anything is refused. Read once; the same reading is then executed. */
  read(asked: Asked, context: StyleContext): Reading;
  /** The answer that tells an error. `id` leads to the log, where it was written there. */
  renderError(error: ApiError, options: { readonly strict: boolean; readonly id: string | undefined }): ApiReply;
  /** Returns a guard's refusal with the place of one operation of a batch, from 0. Absent where the guard's message is the whole answer. */
  atOperation?(error: ApiError, index: number): ApiError;
  /** Executes what was read. */
  readonly service: Type<StyleService>;
}

/** One kind of path. */
export interface Endpoint {
  /** What `getHandler().name` is for guards and interceptors. */
  readonly name: string;
  /** Below the mount, with its parameters: `:type/:id`. */
  readonly path: string;
  /** Whether guards of the module run once for a request, or once for each operation that it holds. */
  readonly guarded: 'request' | 'operation';
  /** Content type of its answers, errors among them, where that is not the style's. */
  readonly mediaType?: string;
}

/** A request that has reached an endpoint. */
export interface Asked {
  readonly endpoint: Endpoint;
  /** The parameters of the path, percent-decoded. */
  readonly params: PathParams;
  readonly request: ApiRequest;
}

/** The parameters of a path, by their names in {@link Endpoint.path}. */
export type PathParams = Readonly<Record<string, string>>;

/** What a style needs in addition to the request; fixed at boot. */
export interface StyleContext {
  /** What callers are shown who are shown most: guards, who come before grants, decide on all of it. */
  readonly model: ResourceModel;
  readonly limits: Limits;
  /** The options of the style, checked: for the style alone to read. */
  readonly settings: object | undefined;
}

/** The meaning of a request. */
export interface Reading {
  readonly operation: ResourceOperation;
  /** What the style has read already and executes as it is, e.g. the operations of a batch. */
  readonly parsed?: unknown;
  /** Why nothing of it may be looked at any further, guards included: a batch of too many operations. */
  readonly refusal?: ApiError;
}

/** The reading of a request for one operation, which is made when somebody asks for it: where there are no guards nor grants, nobody does. */
export class OneOperation implements Reading {
  #operation: ResourceOperation | undefined;

  constructor(private readonly make: () => ResourceOperation) {}

  get operation(): ResourceOperation {
    return (this.#operation ??= this.make());
  }
}

/** What runs the operations of a style. */
export interface StyleService {
  /**
   * @param surface what the caller is shown: nothing else exists
   * @throws ApiError, or whatever the data layer throws
   */
  answer(asked: Asked, reading: Reading, surface: ResourceModel): Promise<ApiReply>;
}

/** A path below a mount that no route has. */
export function unknownPathError({ pathHint }: Style): ApiError {
  return new ApiError('invalid-path', `There is nothing at this path. ${pathHint}`);
}
