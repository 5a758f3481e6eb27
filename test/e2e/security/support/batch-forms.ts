import { rpcCodec } from '../../../support/rpc-codec.js';
import type { Attack } from './attack.js';

/** A harmless operation before the attack: it must not run either. */
const BYSTANDER = { model: 'country', op: 'create', args: { data: { code: 'AT', name: 'Austria' } } };

/** Returns the bodies that send an attack as the second operation of a batch: a list, and an array-like object. Empty if it cannot be in a batch. */
export function batchForms(request: Attack['request']): readonly string[] {
  switch (request.style) {
    case 'REST':
      return [];
    case 'raw RPC': {
      const { operation } = request;
      const first = JSON.stringify(BYSTANDER);
      return operation === undefined ? [] : [`[${first},${operation}]`, `{"0":${first},"1":${operation}}`];
    }
    case 'RPC': {
      const [model, op] = request.operation.split('/');
      const args = encode(request.args ?? {});
      const together = encode([BYSTANDER, { model, op, args: request.args ?? {} }]);
      return [JSON.stringify([BYSTANDER, { model, op, args }]), JSON.stringify(together)];
    }
  }
}

/** Encodes a value with its metadata: in each operation of a list, or once in an array-like object. */
function encode(value: unknown): object {
  const { json, meta } = rpcCodec.serialize(value);
  return { ...(json as object), ...(meta && { meta: { serialization: meta } }) };
}
