import type { ApiRequest } from '../http/api-request.js';
import type { EndpointRequest } from '../platform/style.js';
import { RPC_STYLE } from '../rpc/rpc-style.js';
import { createDerived } from '../utils/create-derived.js';
import type { RpcTarget } from './tools/tool.js';

/** Returns the request of RPC that a call of a tool stands for. Caller, client and headers are those of the request itself. */
export function toRpcRequest({ endpoint: name, params, method, body }: RpcTarget, request: ApiRequest): EndpointRequest {
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
