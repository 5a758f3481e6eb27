import { AsyncResource } from 'node:async_hooks';
import { type ExecutionContext, Inject, Injectable, type NestInterceptor, Scope, StreamableFile, type Type } from '@nestjs/common';
import { type ContextId, ExternalContextCreator, HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { defer, EmptyError, from, lastValueFrom, mergeAll, type Observable } from 'rxjs';
import { createDerived } from '../utils/create-derived.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { IDEMPOTENCY, REGISTRATION } from '../options/tokens.js';
import type { Registration } from '../options/registration.js';
import type { ApiReply } from '../http/api-request.js';
import { contextIdOf } from './context-id.js';
import { type Entry, type EntryClass, PIPED_METADATA, PIPED_METHOD } from './entry-classes.js';
import type { RequestContext, IdempotencyHandler } from './request-context.js';
import { READ_METHODS } from '../http/read-methods.js';
import type { Endpoint, EndpointRequest, PathParams, StyleService } from './style.js';
import { changeableReply } from '../http/written-reply.js';

/** The arguments of a platform's handler. */
export type HandlerArguments<Response extends object = object> = readonly [request: object, response: Response, next: unknown];

/** Runs the requests to one endpoint. Returns undefined if an interceptor of the application has sent a response itself. */
export type RunEndpoint = (requestContext: RequestContext, handlerArguments: HandlerArguments) => Promise<ApiReply | undefined>;

/**
 * Runs a request through everything that Nest runs around a handler, in Nest's order: global guards and those of the module, global
 * interceptors and those of the module, pipes, and then the operation.
 *
 * The routes do not belong to Nest controllers, because Nest sends what the outermost interceptor of a controller returns. A cache or an
 * envelope for other routes of the application would replay or wrap these responses. A handler that sends by itself would hang if a cache
 * returned a value instead.
 *
 * Here, global interceptors run around the operation, and may reject it, delay it, or answer instead of it. They receive {@link ANSWERED}
 * in place of its response. The response itself, an {@link ApiReply}, is passed to the interceptors of the module only.
 */
@Injectable()
export class RequestPipeline {
  // eslint-disable-next-line max-params -- Nest injects one by one.
  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly contexts: ExternalContextCreator,
    private readonly adapterHost: HttpAdapterHost,
    @Inject(REGISTRATION) private readonly registration: Registration,
    @Inject(IDEMPOTENCY) private readonly idempotency: IdempotencyHandler | null,
  ) {}

  /** Compiles the function that runs requests to an endpoint. Call it after the application has registered all of its enhancers. */
  compileEndpoint(endpoint: Endpoint, entry: EntryClass, service: StyleService): RunEndpoint {
    const fixedEnhancers = this.fixedEnhancers(entry, endpoint);
    const fixedInterceptors = this.fixedInterceptors();
    return async (requestContext, handlerArguments) => {
      const endpointRequest = requestContext.setEndpoint(endpoint);
      const enhancers = fixedEnhancers ?? (await this.requestEnhancers(entry, endpoint, requestContext));
      const interceptors = fixedInterceptors ?? (await this.requestInterceptors(requestContext));
      const operate = (): Promise<ApiReply> => this.operate(endpointRequest, { requestContext, enhancers, service });
      let rendered: ApiReply | undefined;
      const run = async (): Promise<unknown> => {
        requestContext.admit();
        const reply = interceptors.length === 0 ? operate() : intercept(interceptors, enhancers.contextOf(handlerArguments), operate);
        // MCP renders RPC's reply as its own here, after the interceptors, which receive RPC's.
        rendered = await (service.render?.(endpointRequest, requestContext.read(endpointRequest), reply) ?? reply);
        return ANSWERED;
      };
      const emitted = await this.runEnhancers(enhancers, handlerArguments, run);
      if (rendered === undefined && this.needsRun(emitted, requestContext, handlerArguments)) await run();
      return rendered;
    };
  }

  /** Runs the pipes and the operation, or replays the reply of an earlier request that had the same idempotency key. */
  private async operate(endpointRequest: EndpointRequest, { requestContext, enhancers, service }: Operation): Promise<ApiReply> {
    const { pipe } = enhancers;
    const piped = pipe ? { ...endpointRequest, params: await pipe(endpointRequest.params) } : endpointRequest;
    const surface = await requestContext.surface();
    const reading = requestContext.read(endpointRequest);
    if (!this.idempotency) return service.execute(piped, reading, surface);
    return this.idempotency.executeOnce(requestContext, () => service.execute(piped, reading, surface));
  }

  /** @returns the value of the outermost global interceptor; undefined if it emits none */
  private async runEnhancers(enhancers: Enhancers, handlerArguments: HandlerArguments, run: () => Promise<unknown>): Promise<unknown> {
    try {
      return await enhancers.around(...handlerArguments, run);
    } catch (error) {
      if (error instanceof EmptyError) return undefined;
      throw error;
    }
  }

  /**
   * Handles a request that a global interceptor has not passed on to its operation.
   *
   * @returns whether the operation must run after all; false if the interceptor's response has been sent
   * @throws ConfigurationError if the interceptor has returned nothing, or the cached marker of a write
   */
  private needsRun(emitted: unknown, { method }: RequestContext, [, response]: HandlerArguments): boolean {
    const { httpAdapter } = this.adapterHost;
    if (httpAdapter.isHeadersSent(response)) return false;
    if (emitted === undefined) throw new ConfigurationError('A global interceptor ended a request without an answer.', REMEDY);
    if (!isAnswered(emitted)) {
      httpAdapter.reply(response, emitted);
      return false;
    }
    // A cache has replayed the marker, which does not contain the response. A read can be executed again without harm.
    if (!READ_METHODS.has(method))
      throw new ConfigurationError('A global interceptor replayed the response to a write, which it cannot have.', REMEDY);
    return true;
  }

  /** Returns the enhancers of all requests to an endpoint; undefined if one of them is request-scoped. */
  private fixedEnhancers({ type }: EntryClass, endpoint: Endpoint): Enhancers | undefined {
    if (this.moduleRef.introspect(type).scope !== Scope.DEFAULT) return undefined;
    return this.enhancersOf(type, this.moduleRef.get(type, { strict: true }), endpoint);
  }

  private async requestEnhancers({ type }: EntryClass, endpoint: Endpoint, { request }: RequestContext): Promise<Enhancers> {
    const contextId = contextIdOf(request, this.moduleRef);
    return this.enhancersOf(type, await this.moduleRef.resolve(type, contextId, { strict: true }), endpoint, contextId);
  }

  private enhancersOf(type: EntryClass['type'], entry: Entry, { name }: Endpoint, contextId?: ContextId): Enhancers {
    const { [name]: handler, [PIPED_METHOD]: piped } = entry;
    if (!handler || !piped) throw new TypeError(`There is no handler of '${name}'.`);
    const around = { guards: true, interceptors: true, filters: false };
    const pipes = { guards: false, interceptors: false, filters: false };
    return {
      around: this.contexts.create(entry, handler, name, '', undefined, contextId, undefined, around, 'http'),
      ...(this.hasPipes && {
        pipe: this.contexts.create(entry, piped, PIPED_METHOD, PIPED_METADATA, GIVEN, contextId, undefined, pipes, 'http'),
      }),
      contextOf: (handlerArguments) => {
        const context = new ExecutionContextHost([...handlerArguments], type, handler);
        context.setType('http');
        return context;
      },
    };
  }

  private get hasPipes(): boolean {
    const { applicationConfig } = this.moduleRef['container'];
    const isGlobal = applicationConfig === undefined || applicationConfig.getGlobalPipes().length > 0;
    return isGlobal || applicationConfig.getGlobalRequestPipes().length > 0 || this.registration.pipes.length > 0;
  }

  /** Returns the interceptors of the module for all requests; undefined if one of them is request-scoped. */
  private fixedInterceptors(): readonly Interceptor[] | undefined {
    const given: readonly (Type<Interceptor> | Interceptor)[] = this.registration.interceptors;
    const scoped = given.some((one) => typeof one === 'function' && this.moduleRef.introspect(one).scope !== Scope.DEFAULT);
    return scoped ? undefined : given.map((one) => (typeof one === 'function' ? this.moduleRef.get(one, { strict: true }) : one));
  }

  private requestInterceptors({ request }: RequestContext): Promise<readonly Interceptor[]> {
    const given: readonly (Type<Interceptor> | Interceptor)[] = this.registration.interceptors;
    const contextId = contextIdOf(request, this.moduleRef);
    return Promise.all(
      given.map(async (one) => (typeof one === 'function' ? this.moduleRef.resolve(one, contextId, { strict: true }) : one)),
    );
  }
}

type Interceptor = NestInterceptor<unknown, ApiReply>;

/** The functions that Nest creates from the enhancers of an endpoint. */
interface Enhancers {
  /** Runs guards and global interceptors around a function. */
  readonly around: (...given: readonly [...HandlerArguments, run: () => Promise<unknown>]) => Promise<unknown>;
  /** Runs the pipes of path parameters. Absent if there are none, because Nest's function would cost time without an effect. */
  readonly pipe?: (params: PathParams) => Promise<PathParams>;
  readonly contextOf: (handlerArguments: HandlerArguments) => ExecutionContext;
}

interface Operation {
  readonly requestContext: RequestContext;
  readonly enhancers: Enhancers;
  readonly service: StyleService;
}

const REMEDY = 'Let it call next.handle() for these routes, throw, or respond itself: resourceOperation(context) is defined for them.';

/** Passes the path parameters to the pipes. */
const GIVEN = { exchangeKeyForValue: (_type: number, _data: unknown, [params]: readonly unknown[]) => params };

const MARK = 'nestjs-resource-api';

/**
 * The marker that global interceptors receive in place of a response.
 *
 * It is a `StreamableFile`, because Nest's `CacheInterceptor` does not store files, and `ClassSerializerInterceptor` does not transform them. An
 * interceptor may wrap or copy it, and a cache may store the copy as JSON. The copy contains only a mark, by which {@link isAnswered} recognizes
 * it.
 */
export const ANSWERED: StreamableFile = createDerived(StreamableFile.prototype, { answeredBy: { value: MARK, enumerable: true } });

/** Whether a value is {@link ANSWERED} or a copy of it, at any place in an envelope. */
export function isAnswered(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false;
  if ('answeredBy' in value && value.answeredBy === MARK) return true;
  return Object.values(value).some((member) => isAnswered(member, depth + 1));
}

/** Maximum nesting of an envelope in which the marker is searched. */
const MAX_DEPTH = 3;

/**
 * Runs interceptors around an operation, the first outermost, as Nest does. They may change the reply, so they receive a copy. The original
 * may be stored for its idempotency key.
 *
 * @returns the last value of the outermost interceptor
 */
function intercept(interceptors: readonly Interceptor[], context: ExecutionContext, operate: () => Promise<ApiReply>): Promise<ApiReply> {
  const operateOnCopy = async (): Promise<ApiReply> => changeableReply(await operate());
  const handle = (index: number): Observable<ApiReply> => {
    const interceptor = interceptors[index];
    // `AsyncResource.bind` applies the async context of the previous interceptor, independent of where and when the observable is
    // subscribed to.
    if (interceptor === undefined) return defer(AsyncResource.bind(operateOnCopy));
    const start = async (): Promise<Observable<ApiReply>> => interceptor.intercept(context, { handle: () => handle(index + 1) });
    return defer(AsyncResource.bind(() => from(start()).pipe(mergeAll())));
  };
  return lastValueFrom(handle(0));
}
