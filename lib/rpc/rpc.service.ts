import { Inject, Injectable } from '@nestjs/common';
import { ActionRunner } from '../actions/action-runner.service.js';
import { type DataCall, inTransaction } from '../executor/plan.js';
import { PlanRunner } from '../run/plan-runner.service.js';
import { ExplainedError } from '../errors/explained-error.js';
import type { Limits } from '../model/limits.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { ApiReply, ApiRequest } from '../http/api-request.js';
import type { Asked, Reading, StyleService } from '../platform/style.js';
import { LIMITS, RECORD_CHECKS, RPC_SETTINGS } from '../options/tokens.js';
import type { RecordChecks } from '../validation/record-check.js';
import type { ResourceResult } from '../wire/encode-result.js';
import { checkReferences, checkWrittenFields } from './check-written-fields.js';
import { isUnmet } from '../errors/is-unmet.js';
import { toApiError } from '../errors/to-api-error.js';
import { requireNoPreconditions } from '../http/preconditions.js';
import { lookedUp, planLook, withRequirement } from './requirement.js';
import { explainConflict } from './explain-conflict.js';
import { inBatch } from './in-batch.js';
import { parseRpcBatch } from './parse-rpc-batch.js';
import { parseRpcCall, type RpcCall, type RpcPath } from './parse-rpc-call.js';
import { pickResult } from './pick-result.js';
import { planRpcBatch } from './plan-rpc-batch.js';
import { planRpcCall } from './plan-rpc-call.js';
import type { RpcBatch } from './read-rpc-batch.js';
import { renderRpcBatch, renderRpcResult } from './render-rpc-result.js';
import type { RpcSettings } from '../options/rpc-settings.js';
import { type RpcActions, runRpcAction } from './run-rpc-action.js';
import { validateRpcBatch, validateRpcCall, type Validation } from './validate-rpc-call.js';
import { type Preferred, preferenceOf } from '../http/preferences.js';

/** The endpoints of the RPC style, each the whole pipeline: request, call, plan, result, answer. */
@Injectable()
export class RpcService implements StyleService {
  // eslint-disable-next-line max-params -- Nest injects one by one.
  constructor(
    @Inject(LIMITS) readonly limits: Limits,
    @Inject(RPC_SETTINGS) readonly settings: RpcSettings,
    @Inject(RECORD_CHECKS) readonly checks: RecordChecks,
    private readonly runner: PlanRunner,
    readonly actions: ActionRunner,
  ) {}

  answer({ endpoint, params, request }: Asked, { parsed }: Reading, surface: ResourceModel): Promise<ApiReply> {
    if (endpoint.guarded === 'operation') return this.executeBatch(request, parsed as RpcBatch, surface);
    const { model = '', operation = '' } = params;
    return this.execute({ model, operation }, request, surface);
  }

  /** `/<model>/<operation>`: one operation of the data client. */
  private async execute(path: RpcPath, request: ApiRequest, surface: ResourceModel): Promise<ApiReply> {
    const own = this.ownAction(path, surface);
    if (own) return runRpcAction(own, request, this.for(surface));
    const call = parseRpcCall(surface, path, request);
    const affected = preferAffected(request, call);
    const plan = await validateRpcCall(planRpcCall(call, this.limits, surface.storage), this.for(surface));
    const planned = withRequirement(check(plan.call, surface), call, request);
    const limited = affected ? affectingAtMost(planned, affected.value, call) : planned;
    const answer = this.runner.answer({ ...plan, call: limited }, request, (result) => {
      const reply = renderRpcResult(call, { query: planned.query, result }, this.settings);
      return affected ? Object.assign(reply, { headers: affected.headers }) : reply;
    });
    return this.explained({ calls: [call], planned: [planned], request, surface }, answer);
  }

  private ownAction({ model, operation }: RpcPath, surface: ResourceModel): Parameters<typeof runRpcAction>[0] | undefined {
    const resource = surface.ownActions && surface.byDelegate.get(model.toLowerCase());
    const action = this.actions.find(resource?.model, operation);
    return resource && action && { resource, action };
  }

  /** `/$transaction/sequential`: several operations, all or nothing. */
  private async executeBatch(request: ApiRequest, batch: RpcBatch, surface: ResourceModel): Promise<ApiReply> {
    const asked = parseRpcBatch(surface, request, batch);
    preferAffected(request);
    requireNoPreconditions(request, 'Write ifMatch beside the args of an operation.');
    const plan = await validateRpcBatch(planRpcBatch(asked, this.limits, surface.storage), this.for(surface));
    const calls = inBatch(plan.calls, (planned, index) => {
      const call = asked[index];
      return call ? withRequirement(check(planned, surface), call, request, true) : planned;
    });
    const { read } = inTransaction(calls, (resultOf) => calls.map((call) => pick(call, resultOf(call), surface)));
    const answer = this.runner.answer({ ...plan, calls }, request, (results) => renderRpcBatch(read(results), this.settings));
    return this.explained({ calls: asked, planned: calls, request, surface }, answer);
  }

  /** The style with what the caller is shown. */
  private for(model: ResourceModel): RpcActions & Validation {
    const { actions, limits, settings, checks } = this;
    return { model, actions, limits, settings, checks };
  }

  /** What the data layer throws, explained once it is mapped. */
  private async explained<Result>({ calls, planned, request, surface }: Asking, result: Promise<Result>): Promise<Result> {
    try {
      return await result;
    } catch (cause) {
      const error = toApiError(cause);
      const written = planned[error.callIndex ?? 0];
      const look = written && isUnmet(error) ? planLook(written) : undefined;
      if (look) throw lookedUp(error, (await this.runner.run(look, request)) !== null);
      throw new ExplainedError((mapped) => explainConflict(mapped, calls, surface.storage), cause);
    }
  }
}

/** What was asked, as the client and as the data client were asked, and what the caller is shown. */
interface Asking {
  readonly calls: readonly RpcCall[];
  readonly planned: readonly DataCall[];
  readonly request: ApiRequest;
  readonly surface: ResourceModel;
}

function pick({ query }: DataCall, result: unknown, { byModel }: ResourceModel): ResourceResult {
  return { value: pickResult(query, result), resource: byModel.get(query.model.model) };
}

/** What can be said of the data of records once the host's validators have accepted them. */
function check(planned: DataCall, model: ResourceModel): DataCall {
  checkWrittenFields(planned, model);
  return checkReferences(planned, model);
}

/**
 * Reads `Prefer: max-affected=n, handling=strict` of a write of many records (PF-04). Without `handling=strict` it is no promise, and ignored.
 *
 * @param call absent for a batch
 * @throws ApiError `unsupported-header`
 */
function preferAffected(request: ApiRequest, call?: RpcCall): Preferred<number> | undefined {
  const isOffered = call?.operation.result === 'affected' && !call.operation.actions.some((action) => action === 'create');
  const read = (value: string, isStrict: boolean): number | undefined => (isStrict && /^\d{1,15}$/.test(value) ? Number(value) : undefined);
  return preferenceOf(request, isOffered ? { name: 'max-affected', read } : undefined);
}

/** The write, which is undone where it changes more records than its request says. */
function affectingAtMost(planned: DataCall, rows: number, { resource, operation }: RpcCall): DataCall {
  const detail = `${resource.delegate}.${operation.name} would change more than ${rows} records (max-affected), and has changed none.`;
  const problem = { code: 'limit-exceeded', detail, source: { header: 'Prefer' } } as const;
  return { ...planned, expect: { kind: 'affects', most: rows, problem } };
}
