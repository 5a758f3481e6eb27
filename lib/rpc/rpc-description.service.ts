import { Inject, Injectable } from '@nestjs/common';
import { ActionRunner } from '../actions/action-runner.service.js';
import { ApiError } from '../errors/api-error.js';
import type { ApiReply, ApiRequest } from '../http/api-request.js';
import { writtenReply } from '../http/written-reply.js';
import type { Limits } from '../model/limits.js';
import type { ResourceModel } from '../model/resource-model.js';
import { reachesRows } from '../model/surface/reaches-rows.js';
import { ACTIONS } from '../model/surface/rights.js';
import type { Surface } from '../model/surface/surface.js';
import type { RestSettings } from '../options/rest-settings.js';
import type { RpcSettings } from '../options/rpc-settings.js';
import { LIMITS, REST_SETTINGS, RPC_SETTINGS } from '../options/tokens.js';
import { CallerRows } from '../run/caller-rows.service.js';
import { SecondChanceCache } from '../utils/second-chance-cache.js';
import { memoizeByObject } from '../utils/memoize-by-object.js';
import { bodySchema } from '../validation/body-schema.js';
import { describeApi } from './description/describe-api.js';
import { parseSearch } from './parse-argument.js';
import { findResource, requireVerb } from './parse-rpc-call.js';
import { RPC_DESCRIPTION } from './protocol/rpc-operations.js';

/** The size of the cached descriptions of one surface, in bytes. */
const CACHE_SIZE = 2 ** 21;

/** Answers `GET /$describe`: what the caller can see and do. */
@Injectable()
export class RpcDescription {
  /** Descriptions by the surface of their callers, then by the actions that reach rows. Callers who differ in either share none. */
  private readonly cached = memoizeByObject(
    (_: ResourceModel) => new SecondChanceCache<string, Uint8Array>(CACHE_SIZE, (key, { byteLength }) => key.length + byteLength),
  );

  // eslint-disable-next-line max-params -- Nest injects one by one.
  constructor(
    @Inject(LIMITS) private readonly limits: Limits,
    @Inject(RPC_SETTINGS) private readonly settings: RpcSettings,
    @Inject(REST_SETTINGS) private readonly rest: RestSettings | undefined,
    private readonly rows: CallerRows,
    private readonly actions: ActionRunner,
  ) {}

  /**
   * Describes all models, or one.
   *
   * @param name the delegate of one model, in any letter case
   * @param model the surface of the caller
   * @throws ApiError for an unknown model; RuleError for a rule that fails
   */
  async describe(name: string | undefined, request: ApiRequest, model: ResourceModel): Promise<ApiReply> {
    if (!this.settings.describe) throw new ApiError('invalid-path', `There is nothing at this path: ${RPC_DESCRIPTION.name} is off here.`);
    requireVerb(RPC_DESCRIPTION, request.method);
    requireNoArgument(request);
    const resources = name === undefined ? model.resources : [findResource(model, name)];
    const surface = await this.rows.of({ ...model, resources }, request);
    const key = `${name === undefined ? '' : resources.map(({ delegate }) => delegate).join()}:${reachedActions(surface)}`;
    const cached = this.cached(model);
    const known = cached.get(key);
    const bytes = known ?? this.serialize(surface);
    if (!known) cached.set(key, bytes);
    return writtenReply({ status: 200 }, (maxBytes) => (bytes.byteLength > maxBytes ? undefined : bytes));
  }

  private serialize(surface: Surface): Uint8Array {
    const data = describeApi(surface.resources, {
      surface,
      limits: this.limits,
      rest: this.rest,
      bodyOf: (model, { name }) => {
        const shape = this.actions.shapeOf(model, name);
        return shape && bodySchema(shape);
      },
    });
    return new TextEncoder().encode(JSON.stringify({ data }));
  }
}

/** @throws ApiError `unsupported-parameter` */
function requireNoArgument({ search }: ApiRequest): void {
  const [name] = Object.keys(parseSearch(search));
  if (name !== undefined) throw new ApiError('unsupported-parameter', `${RPC_DESCRIPTION.name} takes no argument: leave ${name} out.`);
}

/** Returns the actions of each resource that reach rows, as a key. */
function reachedActions(surface: Surface): string {
  const flags = surface.resources.flatMap((resource) => ACTIONS.map((action) => (reachesRows(surface, resource, action) ? '1' : '0')));
  return flags.join('');
}
