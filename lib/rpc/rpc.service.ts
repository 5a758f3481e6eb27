import { Inject, Injectable } from '@nestjs/common';
import type { DataCall } from '../data-client/plan.js';
import { PlanRunner } from '../data-client/plan-runner.service.js';
import { ExplainedError } from '../errors/explained-error.js';
import type { Limits } from '../model/limits.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { ApiReply, ApiRequest } from '../platform/api-request.js';
import type { Asked, Reading, StyleService } from '../platform/style.js';
import { LIMITS, RECORD_CHECKS, RESOURCE_MODEL, RPC_SETTINGS } from '../resource-api.constants.js';
import type { RecordChecks } from '../validation/record-check.js';
import { checkReferences } from './check-references.js';
import { checkWrittenFields } from './check-written-fields.js';
import { explainConflict } from './explain-conflict.js';
import { inBatch } from './in-batch.js';
import { parseRpcBatch } from './parse-rpc-batch.js';
import { parseRpcCall, type RpcCall, type RpcPath } from './parse-rpc-call.js';
import { pickResult } from './pick-result.js';
import { planRpcBatch } from './plan-rpc-batch.js';
import { planRpcCall } from './plan-rpc-call.js';
import type { RpcBatch } from './read-rpc-batch.js';
import { renderRpcBatch, renderRpcResult } from './render-rpc-result.js';
import type { RpcSettings } from './rpc-settings.js';
import { validateRpcBatch, validateRpcCall } from './validate-rpc-call.js';

/** The endpoints of the RPC style, each the whole pipeline: request, call, plan, result, answer. */
@Injectable()
export class RpcService implements StyleService {
  // eslint-disable-next-line max-params -- Nest injects one by one.
  constructor(
    @Inject(RESOURCE_MODEL) private readonly model: ResourceModel,
    @Inject(LIMITS) private readonly limits: Limits,
    @Inject(RPC_SETTINGS) private readonly settings: RpcSettings,
    @Inject(RECORD_CHECKS) private readonly checks: RecordChecks,
    private readonly runner: PlanRunner,
  ) {}

  answer({ endpoint, params, request }: Asked, { parsed }: Reading): Promise<ApiReply> {
    if (endpoint.guarded === 'operation') return this.executeBatch(request, parsed as RpcBatch);
    const { model = '', operation = '' } = params;
    return this.execute({ model, operation }, request);
  }

  /** `/<model>/<operation>`: one operation of the data client. */
  private async execute(path: RpcPath, request: ApiRequest): Promise<ApiReply> {
    const call = parseRpcCall(this.model, path, request);
    const plan = await validateRpcCall(call, planRpcCall(call, this.limits, this.model.storage), this.checks);
    const checked = { ...plan, call: this.check(call, plan.call) };
    const answer = this.runner.answer(checked, request, (result) => {
      return renderRpcResult(call, { args: checked.call.args, result }, this.settings);
    });
    return this.explained([call], answer);
  }

  /** `/$transaction/sequential`: several operations, all or nothing. */
  private async executeBatch(request: ApiRequest, batch: RpcBatch): Promise<ApiReply> {
    const calls = parseRpcBatch(this.model, request, batch);
    const plan = await validateRpcBatch(calls, planRpcBatch(calls, this.limits, this.model.storage), this.checks);
    const planned = calls.flatMap((call, index) => {
      const one = plan.calls[index];
      return one ? [{ call, planned: one }] : [];
    });
    const checked = inBatch(planned, (one) => this.check(one.call, one.planned));
    const answer = this.runner.answer({ ...plan, calls: checked }, request, (results) => {
      const picked = calls.map((call, index) => {
        return { value: pickResult(call, checked[index]?.args ?? {}, results[index]), resource: call.resource };
      });
      return renderRpcBatch(picked, this.settings);
    });
    return this.explained(calls, answer);
  }

  /** What can be said of the data of records once the host's validators have accepted them. */
  private check(call: RpcCall, planned: DataCall): DataCall {
    return checkReferences(call, checkWrittenFields(call, planned, this.model.storage), this.model.storage);
  }

  /** What the data layer throws, explained once it is mapped. */
  private async explained<Result>(calls: readonly RpcCall[], result: Promise<Result>): Promise<Result> {
    try {
      return await result;
    } catch (cause) {
      throw new ExplainedError((error) => explainConflict(error, calls, this.model.storage), cause);
    }
  }
}
