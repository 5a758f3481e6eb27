import { Inject, Injectable } from '@nestjs/common';
import type { ApiReply } from '../http/api-request.js';
import type { ResourceModel } from '../model/resource-model.js';
import { ErrorResponder } from '../platform/error-responder.service.js';
import { requestContextOf } from '../platform/request-context.js';
import type { EndpointRequest, Reading, StyleService } from '../platform/style.js';
import { RPC_STYLE } from '../rpc/rpc-style.js';
import type { RpcService } from '../rpc/rpc.service.js';
import { CallerRows } from '../run/caller-rows.service.js';
import { memberOf } from '../errors/member-of.js';
import { MCP_RPC } from './mcp-rpc.provider.js';
import type { McpRequest } from './mcp-reading.js';
import { findMethod, resultOf } from './methods.js';
import { ERROR_CODES, type MessageId, ProtocolError } from './protocol/protocol-error.js';
import type { ToolCall } from './read-call.js';
import { renderFailure, renderOutput } from './render-output.js';

/** A request whose response has its id. */
type RequestWithId = McpRequest & { readonly kind: 'call' | 'method' };

/** The endpoint of MCP. A call of a tool is executed by the service of RPC. */
@Injectable()
export class McpService implements StyleService {
  constructor(
    @Inject(MCP_RPC) private readonly rpc: RpcService,
    private readonly rows: CallerRows,
    private readonly errors: ErrorResponder,
  ) {}

  /** Executes a request. The reply is that of RPC, or the result of a method. */
  async answer({ request }: EndpointRequest, reading: Reading, surface: ResourceModel): Promise<ApiReply> {
    const mcpRequest = requestOf(reading);
    switch (mcpRequest.kind) {
      case 'refused':
      case 'invalid':
        throw mcpRequest.fault;
      case 'notification':
        return { status: 202 };
      case 'method': {
        const { message, dialect, tools } = mcpRequest;
        const method = findMethod(message.method, dialect);
        const result = await method.answer(message.params, { tools, surface: () => this.rows.of(surface, request) });
        return { status: 200, body: resultOf(result, dialect, method) };
      }
      case 'call':
        return this.call(mcpRequest.call, surface);
    }
  }

  /** Renders the reply as a JSON-RPC response. An error of a call is the result of the call, which the model reads. */
  async render(endpointRequest: EndpointRequest, reading: Reading, outcome: Promise<ApiReply>): Promise<ApiReply> {
    const request = requestOf(reading);
    try {
      const { status, headers, body } = await outcome;
      if (request.kind === 'method') return responseOf(request.id, { result: body }, headers);
      if (request.kind !== 'call') return { status };
      const { tool, args, context } = request.call;
      const result = renderOutput(tool.render(memberOf(body, 'data'), args, context));
      return responseOf(request.id, { result: resultOf(result, request.dialect) }, headers);
    } catch (thrown) {
      if (thrown instanceof ProtocolError) return errorOf(thrown, 'id' in request ? request.id : undefined);
      if (request.kind !== 'call' && request.kind !== 'method') throw thrown;
      return this.renderError(endpointRequest, request, thrown);
    }
  }

  private async call({ rpc, fault }: ToolCall, surface: ResourceModel): Promise<ApiReply> {
    const refusal = fault ?? rpc?.reading.refusal;
    if (refusal !== undefined) throw refusal;
    if (!rpc) throw new TypeError('The call has neither a request nor an error.');
    try {
      return await this.rpc.answer(rpc.endpointRequest, rpc.reading, surface);
    } catch (error) {
      const undone = rpc.undone();
      if (undone) return undone;
      throw error;
    }
  }

  /** Renders and logs an error as RPC does. A caller who has to authenticate first gets 401. */
  private renderError({ request }: EndpointRequest, { kind, id, dialect }: RequestWithId, thrown: unknown): ApiReply {
    const context = request.request && requestContextOf(request.request);
    if (!context) throw thrown;
    const { status, body } = this.errors.replyTo(thrown, RPC_STYLE, context);
    if (status === 401) throw thrown;
    if (kind === 'call') return responseOf(id, { result: resultOf(renderFailure(status, body), dialect) });
    const code = status >= 500 ? ERROR_CODES.internal : ERROR_CODES.invalidRequest;
    return errorOf(new ProtocolError(code, String(memberOf(body, 'message')), { status }), id);
  }
}

function requestOf({ parsed }: Reading): McpRequest {
  // `as`: readMcp has parsed it.
  return parsed as McpRequest;
}

function responseOf(id: MessageId, content: object, headers?: ApiReply['headers']): ApiReply {
  return { status: 200, ...(headers && { headers }), body: { jsonrpc: '2.0', id, ...content } };
}

function errorOf({ code, message, options: { status = 200, data } }: ProtocolError, id: MessageId | undefined): ApiReply {
  return { status, body: { jsonrpc: '2.0', id: id ?? null, error: { code, message, ...(data && { data }) } } };
}
