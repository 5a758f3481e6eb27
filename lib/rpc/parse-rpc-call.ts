import { ApiError } from '../errors/api-error.js';
import { didYouMean } from '../errors/did-you-mean.js';
import { cut, quote } from '../errors/quote.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { Resource } from '../model/surface/surface.js';
import type { ApiRequest } from '../http/api-request.js';
import { READ_METHODS } from '../http/read-methods.js';
import { parseArgument } from './parse-argument.js';
import { findOperation, type KnownRpcOperation, RPC_OPERATIONS } from './protocol/rpc-operations.js';

/** What one RPC request means: an operation on a resource, with the argument as the client wrote it, its values revived. */
export interface RpcCall {
  readonly resource: Resource;
  readonly operation: KnownRpcOperation;
  /** Nothing in it has been compared with the resource yet. */
  readonly args: Readonly<Record<string, unknown>>;
  /** In a batch: what would be `If-Match` of a request of its own. */
  readonly ifMatch?: string;
}

/** The variable parts of an RPC path, percent-decoded. */
export interface RpcPath {
  readonly model: string;
  readonly operation: string;
}

/**
 * Reads an RPC request: text becomes meaning. Whatever is wrong with it is 400 in this style (specification, section 7).
 *
 * @throws ApiError for an unknown model or operation, the wrong verb, and an argument that is malformed or in the wrong place
 */
export function parseRpcCall(model: ResourceModel, path: RpcPath, request: ApiRequest): RpcCall {
  const resource = findResource(model, path.model);
  const operation = requireOperation(path.operation);
  requireVerb(operation, request.method);
  return { resource, operation, args: parseArgument(operation, request) };
}

/** The exposed model of that name, without regard to case. */
export function findResource(model: ResourceModel, name: string): Resource {
  const resource = model.byDelegate.get(name.toLowerCase());
  if (resource) return resource;
  const known = model.resources.map(({ delegate }) => delegate);
  throw new ApiError('unsupported-model', `There is no model ${quote(name)}.${didYouMean(name, known)}`);
}

/** The operation of exactly that name. */
export function requireOperation(name: string): KnownRpcOperation {
  const operation = findOperation(name);
  if (operation) return operation;
  throw new ApiError('invalid-path', `There is no operation ${quote(name)}.${didYouMean(name, Object.keys(RPC_OPERATIONS))}`);
}

/** @param method after `X-HTTP-Method-Override`; HEAD and QUERY are answered as GET is */
export function requireVerb({ name, verbs }: { readonly name: string; readonly verbs: readonly string[] }, method: string): void {
  if (verbs.includes(READ_METHODS.has(method) ? 'GET' : method)) return;
  throw new ApiError('invalid-verb', `${name} is called by ${verbs.join(' or ')}, not by ${cut(method)}.`);
}
