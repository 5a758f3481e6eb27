import { ApiError } from '../errors/api-error.js';
import { quote } from '../errors/quote.js';
import type { ApiRequest } from '../http/api-request.js';
import { sizeLimit } from '../http/response-size.js';
import type { Limits } from '../model/limits.js';
import type { McpSettings } from '../options/mcp-settings.js';
import { touching } from '../platform/resource-operation.js';
import type { EndpointRequest, Reading, StyleContext } from '../platform/style.js';
import { describing } from '../rpc/rpc-style.js';
import { findMethod } from './methods.js';
import { type MessageId, ProtocolError } from './protocol/protocol-error.js';
import { type Message, readMessage } from './protocol/read-message.js';
import { type ProtocolForm, readProtocolForm } from './protocol/revision.js';
import { readCall, type ToolCall } from './read-call.js';
import type { ToolContext } from './tools/tool.js';

/** A request to the endpoint, as it is executed. */
export type McpRequest =
  /** A request that HTTP refuses: its origin is not allowed, its method is not POST, or its body is not JSON. */
  | { readonly kind: 'refused'; readonly fault: ApiError }
  | { readonly kind: 'invalid'; readonly id: MessageId | undefined; readonly fault: ProtocolError }
  | { readonly kind: 'notification' }
  | { readonly kind: 'method'; readonly id: MessageId; readonly form: ProtocolForm; readonly message: Message; readonly tools: ToolContext }
  | { readonly kind: 'call'; readonly id: MessageId; readonly form: ProtocolForm; readonly call: ToolCall };

/** Reads a request once, for the guards and for the service. */
export function readMcp({ request }: EndpointRequest, context: StyleContext): Reading {
  const settings = context.settings as McpSettings;
  const refusal = refuseOrigin(request, settings);
  if (refusal) return { ...readingOf({ kind: 'refused', fault: refusal }), refusal };
  const { writes } = settings;
  const maxResultBytes = resultBytes(settings, context.limits);
  let id: MessageId | undefined;
  try {
    requirePost(request);
    const message = readMessage(request);
    ({ id } = message);
    return readRequest(message, request, { ...context, tools: { writes, maxResultBytes, limits: context.limits } });
  } catch (fault) {
    if (fault instanceof ProtocolError) return readingOf({ kind: 'invalid', id: id ?? fault.options.id, fault });
    if (fault instanceof ApiError) return readingOf({ kind: 'refused', fault });
    throw fault;
  }
}

/**
 * Returns how many bytes of JSON the rows of a result may have, so that a response is within `limits.maxResponseSize`: the response of a committed write
 * must not fail for its size. The response has the JSON twice, once as a text in which each quote takes two bytes.
 */
function resultBytes({ maxResultBytes }: McpSettings, { maxResponseSize }: Limits): number {
  return Math.min(maxResultBytes, Math.floor(sizeLimit(maxResponseSize).bytes / 4));
}

function requirePost({ method }: ApiRequest): void {
  if (method === 'POST') return;
  throw new ApiError('invalid-verb', 'The endpoint takes POST alone: it has no streams and no sessions.', { headers: { Allow: 'POST' } });
}

function readRequest(message: Message, request: ApiRequest, context: StyleContext & { readonly tools: ToolContext }): Reading {
  const form = readProtocolForm(message, request);
  const { id, method, params } = message;
  if (id === undefined) return readingOf({ kind: 'notification' });
  if (method !== 'tools/call') {
    findMethod(method, form);
    const parsed: McpRequest = { kind: 'method', id, form, message, tools: context.tools };
    return method === 'tools/list' ? { parsed, operation: describing(undefined, context, 'mcp', method) } : readingOf(parsed, method);
  }
  const call = readCall(params, request, context);
  const parsed: McpRequest = { kind: 'call', id, form, call };
  if (!call.rpc) return readingOf(parsed, method);
  const { operation } = call.rpc.reading;
  const { name } = call.tool;
  // A retry has another id, and may have other metadata.
  return { operation, parsed, keyed: { name, arguments: call.args }, ...(call.rpc.isDryRun && { isDryRun: true }) };
}

/** Returns the reading of a request that reaches no model. */
function readingOf(parsed: McpRequest, operation?: string): Reading {
  return { operation: touching({ style: 'mcp', model: undefined, operation, action: undefined, actions: [] }, () => []), parsed };
}

/**
 * Checks the header `Origin`, which browsers send with each POST. Other web pages may not call the endpoint with the cookies of their visitors, nor
 * under a name that they have bound to its address (DNS rebinding): such a page has the host of the request, so no origin is allowed by itself.
 *
 * @returns the error of a request that is refused
 */
function refuseOrigin({ headers }: ApiRequest, { allowedOrigins }: Pick<McpSettings, 'allowedOrigins'>): ApiError | undefined {
  const { origin } = headers;
  if (origin === undefined) return undefined;
  const given = [origin].flat().join(', ');
  if (allowedOrigins.includes(given)) return undefined;
  return new ApiError('forbidden', `The origin ${quote(given)} may not call this endpoint.`);
}
