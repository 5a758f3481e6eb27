import { Inject, Injectable } from '@nestjs/common';
import { ActionRunner } from '../actions/action-runner.service.js';
import { type DataCall, inTransaction } from '../executor/plan.js';
import { PlanRunner } from '../run/plan-runner.service.js';
import { ExplainedError } from '../errors/explained-error.js';
import type { Limits } from '../model/limits.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { ApiReply, ApiRequest } from '../http/api-request.js';
import type { EndpointRequest, Reading, StyleService } from '../platform/style.js';
import { LIMITS, RECORD_CHECKS, RPC_SETTINGS } from '../options/tokens.js';
import type { RecordChecks } from '../validation/record-check.js';
import { isWrite } from '../query/query.js';
import { findRow } from '../query/read.js';
import { checkWrittenRecords } from './check-written-records.js';
import { isConditionUnmet } from '../errors/is-condition-unmet.js';
import { toApiError } from '../errors/to-api-error.js';
import { requireNoPreconditions } from '../http/preconditions.js';
import { lookedUp, versionedRow, withRequirement } from './requirement.js';
import { explainConflict } from './explain-conflict.js';
import { inBatch } from './in-batch.js';
import { parseRpcBatch } from './parse-rpc-batch.js';
import type { RpcCall, RpcPath } from './parse-rpc-call.js';
import { planRpcBatch } from './plan-rpc-batch.js';
import { planRpcRequest } from './plan-rpc-call.js';
import { isDescription } from './protocol/rpc-operations.js';
import type { RpcBatch } from './read-rpc-batch.js';
import { type OperationResult, renderRpcBatch, renderRpcResult } from './render-rpc-result.js';
import type { RpcSettings } from '../options/rpc-settings.js';
import { RpcDescription } from './rpc-description.service.js';
import { type RpcActions, runRpcAction } from './run-rpc-action.js';
import { validateRpcBatch, validateRpcCall, type Validation } from './validate-rpc-call.js';
import { preferenceOf, type Preferred } from '../http/preferences.js';

/** The endpoints of the RPC style. Each method is a whole pipeline: parse, plan, run, render. */
@Injectable()
export class RpcService implements StyleService {
  // eslint-disable-next-line max-params -- Nest injects one by one.
  constructor(
    @Inject(LIMITS) readonly limits: Limits,
    @Inject(RPC_SETTINGS) readonly settings: RpcSettings,
    @Inject(RECORD_CHECKS) readonly checks: RecordChecks,
    private readonly runner: PlanRunner,
    readonly actions: ActionRunner,
    private readonly description: RpcDescription,
  ) {}

  execute({ endpoint, params, request }: EndpointRequest, { parsed }: Reading, surface: ResourceModel): Promise<ApiReply> {
    if (isDescription(endpoint)) return this.description.describe(params['described'], request, surface);
    if (endpoint.guarded === 'operation') return this.executeBatch(request, parsed as RpcBatch, surface);
    const { model = '', operation = '' } = params;
    return this.executeOperation({ model, operation }, request, surface);
  }

  /** Executes one operation: `/<model>/<operation>`. The data of records are checked after the application's validators have accepted them. */
  private async executeOperation(path: RpcPath, request: ApiRequest, surface: ResourceModel): Promise<ApiReply> {
    const own = this.ownAction(path, surface);
    if (own) return runRpcAction(own, request, this.for(surface));
    const { call, planned: parsed } = planRpcRequest(surface, path, request, this.limits);
    const affected = preferAffected(request, call);
    const checked = isWrite(parsed.query) ? checkWrittenRecords(await validateRpcCall(parsed, this.for(surface)), surface) : parsed;
    const planned = withRequirement(checked, call, request);
    const limited = affected ? affectingAtMost(planned, affected.value, call) : planned;
    const reply = this.runner.respond({ kind: 'call', call: limited }, request, (result) => {
      const reply = renderRpcResult(call, { query: planned.query, result }, this.settings);
      return affected ? Object.assign(reply, { headers: affected.headers }) : reply;
    });
    return this.explained({ calls: [call], planned: [planned], request, surface }, reply);
  }

  private ownAction({ model, operation }: RpcPath, surface: ResourceModel): Parameters<typeof runRpcAction>[0] | undefined {
    const resource = surface.ownActions && surface.byDelegate.get(model.toLowerCase());
    const action = this.actions.find(resource?.model, operation);
    return resource && action && { resource, action };
  }

  /** Executes several operations, all or nothing: `/$transaction/sequential`. */
  private async executeBatch(request: ApiRequest, batch: RpcBatch, surface: ResourceModel): Promise<ApiReply> {
    const parsed = parseRpcBatch(surface, request, batch);
    preferAffected(request);
    requireNoPreconditions(request, 'Write ifMatch beside the args of an operation.');
    const plan = await validateRpcBatch(planRpcBatch(parsed, this.limits, surface.storage), this.for(surface));
    const calls = inBatch(plan.calls, (planned, index) => {
      const call = parsed[index];
      return call ? withRequirement(checkWrittenRecords(planned, surface), call, request, true) : planned;
    });
    const { read } = inTransaction(calls, (resultOf) => calls.map((call) => operationResult(call, resultOf(call), surface)));
    const { finish = (reply: ApiReply): ApiReply => reply } = batch;
    const undoes = batch.finish && ({ undoesUnreadable: true, mayBeUndone: true } as const);
    const reply = this.runner.respond({ ...plan, ...undoes, calls }, request, (results) => {
      return finish(renderRpcBatch(read(results), this.settings));
    });
    return this.explained({ calls: parsed, planned: calls, request, surface }, reply);
  }

  /** Returns the services with the surface of the caller. */
  private for(model: ResourceModel): RpcActions & Validation {
    const { actions, limits, settings, checks } = this;
    return { model, actions, limits, settings, checks };
  }

  /** Adds details to an error of the data layer after it is mapped to an ApiError. */
  private async explained<Result>({ calls, planned, request, surface }: Asking, result: Promise<Result>): Promise<Result> {
    try {
      return await result;
    } catch (cause) {
      const error = toApiError(cause);
      const written = planned[error.callIndex ?? 0];
      const row = written && isConditionUnmet(error) ? versionedRow(written) : undefined;
      if (row) throw lookedUp(error, (await this.runner.run({ kind: 'call', call: { query: findRow(row) } }, request)) !== null);
      throw new ExplainedError((mapped) => explainConflict(mapped, calls, surface.storage), cause);
    }
  }
}

/** The calls of a request as parsed and as planned, and the surface of the caller. */
interface Asking {
  readonly calls: readonly RpcCall[];
  readonly planned: readonly DataCall[];
  readonly request: ApiRequest;
  readonly surface: ResourceModel;
}

function operationResult({ query }: DataCall, result: unknown, { byModel }: ResourceModel): OperationResult {
  return { query, result, resource: byModel.get(query.model.model) };
}

/**
 * Returns the preference `Prefer: max-affected=n, handling=strict` of a write of many records (PF-04). Without `handling=strict` it is ignored,
 * because the client has not required it.
 *
 * @param call absent for a batch
 * @throws ApiError `unsupported-header`
 */
function preferAffected(request: ApiRequest, call?: RpcCall): Preferred<number> | undefined {
  const isOffered = call?.operation.result === 'affected' && !call.operation.actions.some((action) => action === 'create');
  const read = (value: string, isStrict: boolean): number | undefined => (isStrict && /^\d{1,15}$/.test(value) ? Number(value) : undefined);
  return preferenceOf(request, isOffered ? { name: 'max-affected', read } : undefined);
}

/** Adds the limit of `max-affected` to a write, which is rolled back if it changes more records. */
function affectingAtMost(planned: DataCall, rows: number, { resource, operation }: RpcCall): DataCall {
  const detail = `${resource.delegate}.${operation.name} would change more than ${rows} records (max-affected), and has changed none.`;
  const problem = { code: 'limit-exceeded', detail, source: { header: 'Prefer' } } as const;
  return { ...planned, expect: { kind: 'affects', most: rows, problem } };
}
