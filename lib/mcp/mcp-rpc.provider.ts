import type { Provider } from '@nestjs/common';
import { ActionRunner } from '../actions/action-runner.service.js';
import type { Limits } from '../model/limits.js';
import type { RpcSettings } from '../options/rpc-settings.js';
import { LIMITS, RECORD_CHECKS } from '../options/tokens.js';
import { RpcDescription } from '../rpc/rpc-description.service.js';
import { RpcService } from '../rpc/rpc.service.js';
import { CallerRows } from '../run/caller-rows.service.js';
import { PlanRunner } from '../run/plan-runner.service.js';
import type { RecordChecks } from '../validation/record-check.js';
import { MAX_TAKE } from './tools/find.js';

/** Token of the service of RPC that executes the calls of tools. RPC itself may be off, or have other options. */
export const MCP_RPC = Symbol.for('nestjs-resource-api: MCP_RPC');

const SETTINGS: RpcSettings = Object.freeze({ bytes: 'base64', describe: true });

export const mcpRpcProvider: Provider = {
  provide: MCP_RPC,
  inject: [LIMITS, RECORD_CHECKS, PlanRunner, ActionRunner, CallerRows],
  useFactory: (limits: Limits, checks: RecordChecks, runner: PlanRunner, ...[actions, rows]: [ActionRunner, CallerRows]) => {
    const described = { ...limits, maxTake: Math.min(MAX_TAKE, limits.maxTake) };
    return new RpcService(limits, SETTINGS, checks, runner, actions, new RpcDescription(described, SETTINGS, undefined, rows, actions));
  },
};
