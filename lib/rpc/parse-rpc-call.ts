import { ApiError } from '../errors/api-error.js';
import { didYouMean } from '../errors/did-you-mean.js';
import { cut, quote } from '../errors/quote.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { Resource } from '../model/surface/surface.js';
import type { ApiRequest } from '../http/api-request.js';
import { READ_METHODS } from '../http/read-methods.js';
import { parseArgument } from './parse-argument.js';
import { findOperation, type KnownRpcOperation, RPC_OPERATIONS } from './protocol/rpc-operations.js';

/** A parsed RPC request: an operation on a resource, with the client's argument and its values revived. */
export interface RpcCall {
  readonly resource: Resource;
  readonly operation: KnownRpcOperation;
  /** The argument, before any check against the resource. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The entity tag of one operation in a batch, in place of the header `If-Match`. */
  readonly ifMatch?: string;
}

/** The variable parts of an RPC path, percent-decoded. */
export interface RpcPath {
  readonly model: string;
  readonly operation: string;
}

/**
 * Parses an RPC request. Every fault of the request is a 400 in this style (specification, section 7).
 *
 * @throws ApiError for an unknown model or operation, the wrong verb, and an argument that is malformed or in the wrong place
 */
export function parseRpcCall(model: ResourceModel, path: RpcPath, request: ApiRequest): RpcCall {
  const resource = findResource(model, path.model);
  const operation = requireOperation(path.operation);
  requireVerb(operation, request.method);
  return { resource, operation, args: parseArgument(operation, request) };
}

/** Returns the exposed model of a name, case-insensitively. @throws ApiError `unsupported-model` */
export function findResource(model: ResourceModel, name: string): Resource {
  const resource = model.byDelegate.get(name.toLowerCase());
  if (resource) return resource;
  const known = model.resources.map(({ delegate }) => delegate);
  throw new ApiError('unsupported-model', `There is no model ${quote(name)}.${didYouMean(name, known)}`);
}

/** Returns the operation of a name, case-sensitively. @throws ApiError `invalid-path` */
export function requireOperation(name: string): KnownRpcOperation {
  const operation = findOperation(name);
  if (operation) return operation;
  throw new ApiError('invalid-path', `There is no operation ${quote(name)}.${didYouMean(name, Object.keys(RPC_OPERATIONS))}`);
}

/** Rejects a request with the wrong method. @param method after `X-HTTP-Method-Override`; HEAD and QUERY are treated as GET */
export function requireVerb({ name, verbs }: { readonly name: string; readonly verbs: readonly string[] }, method: string): void {
  if (verbs.includes(READ_METHODS.has(method) ? 'GET' : method)) return;
  throw new ApiError('invalid-verb', `${name} is called by ${verbs.join(' or ')}, not by ${cut(method)}.`);
}
