import type { DataCall } from '../data-client/plan.js';
import type { Storage } from '../model/storage/storage.js';
import type { Resource } from '../model/surface/surface.js';
import { existenceChecks, type ReferredRecord } from '../references/existence-checks.js';
import { referredKeys } from '../references/referred-keys.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { type Data, mapWrittenRecords, type WrittenData } from './map-written-records.js';
import type { RpcCall } from './parse-rpc-call.js';

/**
 * Has the records looked for that foreign keys in the data of a call refer to, its nested records included: as a link made by `connect`, a key
 * leads to nothing that is not there or that the caller may not see. A record that the call itself creates is there.
 */
export function checkReferences(call: RpcCall, planned: DataCall, storage: Storage): DataCall {
  const written: WrittenData[] = [];
  mapWrittenRecords(call, planned.args, (record) => {
    written.push(record);
    return record.data;
  });
  const checks = existenceChecks(
    written.flatMap((record) => referredBy(record, storage)).filter((record) => !written.some((other) => isCreated(other, record))),
  );
  return checks.length === 0 ? planned : { ...planned, before: checks };
}

function referredBy({ resource, data, path }: WrittenData, storage: Storage): readonly ReferredRecord[] {
  return referredKeys({ resource, storage }, valuesOf(resource, data)).map(({ target, key, attribute }) => ({
    target,
    key,
    detail: `There is no ${target.model} that ${[...path, attribute.name].join('.')} refers to.`,
  }));
}

/** `{ set: value }` is that value; there is no other operation on a key. */
function valuesOf({ fields }: Resource, data: Data): ReadonlyMap<string, unknown> {
  const entries = Object.entries(data).filter(([name]) => {
    const field = fields.get(name);
    return field?.kind === 'attribute' && field.foreignKeyOf.length > 0;
  });
  return new Map(entries.map(([name, value]) => [name, isPlainObject(value) ? value['set'] : value]));
}

function isCreated({ resource, action, data }: WrittenData, { target, key }: ReferredRecord): boolean {
  return action === 'create' && resource === target && Object.entries(key).every(([name, value]) => data[name] === value);
}
