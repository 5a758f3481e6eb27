import { rpcCodec } from '../../../support/rpc-codec.js';
import type { Attack } from './attack.js';

/** A harmless operation before the attack: it must not run either. */
const BYSTANDER = { model: 'country', op: 'create', args: { data: { code: 'AT', name: 'Austria' } } };

/** The bodies that send an attack as the second operation of a batch: as a list, and as an object like one. None where it cannot be in a batch. */
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

/** With its metadata beside it: in each operation of a list, or once in an object that is like one. */
function encode(value: unknown): object {
  const { json, meta } = rpcCodec.serialize(value);
  return { ...(json as object), ...(meta && { meta: { serialization: meta } }) };
}
