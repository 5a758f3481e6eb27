import { ApiError } from '../../errors/api-error.js';
import type { ApiRequest } from '../../http/api-request.js';
import { readJsonBody } from '../../rpc/parse-argument.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { ERROR_CODES, type MessageId, ProtocolError } from './protocol-error.js';

/** The parameters of a message. */
export type Params = Readonly<Record<string, unknown>>;

/** A JSON-RPC message. One without an id is a notification, which has no response. */
export interface Message {
  readonly id: MessageId | undefined;
  readonly method: string;
  readonly params: Params;
}

/**
 * Reads the body of a request as one JSON-RPC message.
 *
 * @throws ProtocolError for a body that is no message, and for a batch, which MCP has no more since the revision 2025-06-18
 * @throws ApiError `unsupported-media-type`
 */
export function readMessage(request: ApiRequest): Message {
  const body = readBody(request);
  if (Array.isArray(body)) throw invalid('MCP has no batches: send one message in each request.');
  if (!isPlainObject(body) || body['jsonrpc'] !== '2.0') throw invalid('The body must be one JSON-RPC 2.0 message.');
  const { method, params = {} } = body;
  if (typeof method !== 'string') throw invalid('A message needs a method. This server sends no requests, so that it takes no responses.');
  const id = Object.hasOwn(body, 'id') ? readId(body['id']) : undefined;
  if (!isPlainObject(params)) {
    const options = id === undefined ? { status: 400 } : { id };
    throw new ProtocolError(ERROR_CODES.invalidParams, 'The params of a message must be an object.', options);
  }
  return { id, method, params };
}

function readBody(request: ApiRequest): unknown {
  try {
    return readJsonBody(request);
  } catch (error) {
    if (!(error instanceof ApiError) || error.problems[0].code !== 'invalid-payload') throw error;
    throw new ProtocolError(ERROR_CODES.parse, error.message, { status: 400 });
  }
}

/** Reads an id. JSON numbers beyond the safe integers have lost digits by now, so that the response would have another id. */
function readId(id: unknown): MessageId {
  if (typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id))) return id;
  throw invalid('The id of a request must be a string or an integer.');
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ERROR_CODES.invalidRequest, message, { status: 400 });
}
