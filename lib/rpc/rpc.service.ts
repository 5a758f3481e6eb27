import { Inject, Injectable } from '@nestjs/common';
import { runPlan } from '../data-client/run-plan.js';
import { type Limits } from '../model/limits.js';
import { type ResourceModel } from '../model/resource-model.js';
import { type ApiReply, type ApiRequest } from '../platform/api-request.js';
import { LIMITS, RECORD_CHECKS, RESOURCE_MODEL, RPC_SETTINGS } from '../resource-api.constants.js';
import { type RecordChecks } from '../validation/record-check.js';
import { parseRpcBatch } from './parse-rpc-batch.js';
import { parseRpcCall, type RpcPath } from './parse-rpc-call.js';
import { planRpcBatch } from './plan-rpc-batch.js';
import { planRpcCall } from './plan-rpc-call.js';
import { renderRpcBatch, renderRpcResult } from './render-rpc-result.js';
import { type RpcSettings } from './rpc-settings.js';
import { validateRpcBatch, validateRpcCall } from './validate-rpc-call.js';

/** The endpoints of the RPC style, each the whole pipeline: request, call, plan, result, answer. */
@Injectable()
export class RpcService {
  // eslint-disable-next-line max-params -- Nest injects one by one.
  constructor(
    @Inject(RESOURCE_MODEL) private readonly model: ResourceModel,
    @Inject(LIMITS) private readonly limits: Limits,
    @Inject(RPC_SETTINGS) private readonly settings: RpcSettings,
    @Inject(RECORD_CHECKS) private readonly checks: RecordChecks,
  ) {}

  /** `/<model>/<operation>`: one operation of the data client. */
  async execute(path: RpcPath, request: ApiRequest): Promise<ApiReply> {
    const call = parseRpcCall(this.model, path, request);
    const plan = await validateRpcCall(call, planRpcCall(call, this.limits), this.checks);
    const result = await runPlan(await request.client(), plan);
    return renderRpcResult(call, result, this.settings);
  }

  /** `/$transaction/sequential`: several operations, all or nothing. */
  async executeBatch(request: ApiRequest): Promise<ApiReply> {
    const calls = parseRpcBatch(this.model, request);
    const plan = await validateRpcBatch(calls, planRpcBatch(calls, this.limits), this.checks);
    const results = await runPlan(await request.client(), plan);
    return renderRpcBatch(results, this.settings);
  }
}
