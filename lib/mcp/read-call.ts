import { ApiError } from '../errors/api-error.js';
import type { ApiReply, ApiRequest } from '../http/api-request.js';
import type { EndpointRequest, Reading, StyleContext } from '../platform/style.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { type RpcBatch, readRpcBatch } from '../rpc/read-rpc-batch.js';
import { readRpc, RPC_STYLE } from '../rpc/rpc-style.js';
import { createDerived } from '../utils/create-derived.js';
import { ERROR_CODES, ProtocolError } from './protocol/protocol-error.js';
import type { Params } from './protocol/read-message.js';
import { findTool } from './tools/tools.js';
import type { RpcTarget, Tool, ToolContext } from './tools/tool.js';

/** A call of a tool. */
export interface ToolCall {
  readonly tool: Tool;
  readonly args: Params;
  readonly context: ToolContext;
  /** Absent if the arguments are invalid. */
  readonly rpc?: ToolRequest;
  /** The error of invalid arguments. */
  readonly fault?: Error;
}

/** The request of RPC by which a call is executed, as RPC reads it. */
export interface ToolRequest {
  readonly endpointRequest: EndpointRequest;
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

function rpcOf(target: RpcTarget, request: ApiRequest, context: StyleContext): ToolRequest {
  const endpointRequest = toRpcRequest(target, request);
  const isDryRun = target.isDryRun === true;
  const reading = readRpc(endpointRequest, context, 'mcp');
  if (target.endpoint !== 'sequential') return { endpointRequest, reading, isDryRun, undone: () => undefined };
  let undone: ApiReply | undefined;
  const finish = (reply: ApiReply): ApiReply => {
    target.checkBeforeCommit?.(reply);
    if (!isDryRun) return reply;
    undone = reply;
    throw new ApiError('unknown-error', 'A dry run is rolled back.');
  };
  const parsed: RpcBatch = { ...((reading.parsed as RpcBatch | undefined) ?? readRpcBatch(endpointRequest.request)), finish };
  return {
    endpointRequest,
    reading: { operation: reading.operation, ...(reading.refusal && { refusal: reading.refusal }), parsed },
    isDryRun,
    undone: () => undone,
  };
}

/** Returns the request of RPC by which a call of a tool is executed. Caller, client and headers are those of the request itself. */
function toRpcRequest({ endpoint: name, params, method, body }: RpcTarget, request: ApiRequest): EndpointRequest {
  const endpoint = RPC_STYLE.endpoints.find((one) => one.name === name);
  if (!endpoint) throw new TypeError(`RPC has no endpoint '${name}'.`);
  const derived = createDerived(request, {
    method: { value: method },
    search: { value: '' },
    headers: { value: headersOf(request) },
    hasBody: { value: body !== undefined },
    json: { value: () => body },
    // The client is that of the request, and so is what rules are evaluated for.
    client: { value: () => request.client() },
    caller: { get: (): unknown => Reflect.get(request, 'caller') },
  });
  return { endpoint, params, request: derived };
}

/** Preconditions and preferences are about the endpoint, and not about one of its calls. */
function headersOf({ headers }: ApiRequest): ApiRequest['headers'] {
  return { ...headers, 'content-type': 'application/json', ...WITHOUT };
}

const WITHOUT = { 'if-match': undefined, 'if-none-match': undefined, 'prefer': undefined };
