import { ApiError } from '../errors/api-error.js';
import type { ApiReply, ApiRequest } from '../http/api-request.js';
import type { EndpointRequest, Reading, StyleContext } from '../platform/style.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { type RpcBatch, readRpcBatch } from '../rpc/read-rpc-batch.js';
import { readRpc } from '../rpc/rpc-style.js';
import { ERROR_CODES, ProtocolError } from './protocol/protocol-error.js';
import type { Params } from './protocol/read-message.js';
import { toRpcRequest } from './rpc-request.js';
import { findTool } from './tools/tools.js';
import type { RpcTarget, Tool, ToolContext } from './tools/tool.js';

/** A call of a tool. */
export interface ToolCall {
  readonly tool: Tool;
  readonly args: Params;
  readonly context: ToolContext;
  /** Absent if the arguments are invalid. */
  readonly rpc?: RpcCallOf;
  /** The error of invalid arguments. */
  readonly fault?: Error;
}

/** The request of RPC that a call stands for, as RPC reads it. */
export interface RpcCallOf {
  readonly asked: EndpointRequest;
  readonly reading: Reading;
  readonly isDryRun: boolean;
  /** Returns the reply of a batch that was rolled back as a dry run; undefined before. */
  readonly undone: () => ApiReply | undefined;
}

/**
 * Reads a call of a tool as a request of RPC, so that guards check what is executed.
 *
 * @throws ProtocolError for a tool that does not exist, and for arguments that are no object
 */
export function readCall(
  { name, arguments: args = {} }: Params,
  request: ApiRequest,
  context: StyleContext & { readonly tools: ToolContext },
): ToolCall {
  const { tools } = context;
  const tool = typeof name === 'string' ? findTool(name, tools) : undefined;
  if (!tool) throw new ProtocolError(ERROR_CODES.invalidParams, 'Unknown tool. tools/list has the tools that you may call.');
  if (!isPlainObject(args)) throw new ProtocolError(ERROR_CODES.invalidParams, 'The arguments of a tool must be an object.');
  try {
    return { tool, args, context: tools, rpc: rpcOf(tool.toRpc(args, tools), request, context) };
  } catch (fault) {
    if (!(fault instanceof ApiError)) throw fault;
    return { tool, args, context: tools, fault };
  }
}

function rpcOf(target: RpcTarget, request: ApiRequest, context: StyleContext): RpcCallOf {
  const asked = toRpcRequest(target, request);
  const isDryRun = target.isDryRun === true;
  const reading = readRpc(asked, context, 'mcp');
  if (target.endpoint !== 'sequential') return { asked, reading, isDryRun, undone: () => undefined };
  let undone: ApiReply | undefined;
  const finish = (reply: ApiReply): ApiReply => {
    target.requireAcceptable?.(reply);
    if (!isDryRun) return reply;
    undone = reply;
    throw new ApiError('unknown-error', 'A dry run is rolled back.');
  };
  const parsed: RpcBatch = { ...((reading.parsed as RpcBatch | undefined) ?? readRpcBatch(asked.request)), finish };
  return {
    asked,
    reading: { operation: reading.operation, ...(reading.refusal && { refusal: reading.refusal }), parsed },
    isDryRun,
    undone: () => undone,
  };
}
