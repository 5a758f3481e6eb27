/** The codes of JSON-RPC errors: those of JSON-RPC 2.0, and those of the revision 2026-07-28. */
export const ERROR_CODES = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

/** The id of a JSON-RPC request. */
export type MessageId = string | number;

/** Returns the code of an error that HTTP has a status for. */
export function codeOfStatus(status: number): number {
  return status >= 500 ? ERROR_CODES.internal : ERROR_CODES.invalidRequest;
}

/** Returns a JSON-RPC message with an error. */
export function errorMessageOf(
  id: MessageId | undefined,
  error: { readonly code: number; readonly message: string; readonly data?: object },
): object {
  return { jsonrpc: '2.0', id: id ?? null, error };
}

/** An error of the protocol, which is answered with a JSON-RPC error. Those of a tool's call are results of the call. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';

  constructor(
    readonly code: number,
    message: string,
    /** The status of the response, `data` of the error, and the id of the request where it could be read. */
    readonly options: { readonly status?: number; readonly data?: object; readonly id?: MessageId } = {},
  ) {
    super(message);
  }
}
