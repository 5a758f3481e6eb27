import type { DataCall } from '../data-client/plan.js';
import type { ResourceModel } from '../model/resource-model.js';
import { type RecordOfQuery, recordsOf } from '../query/map-records.js';
import type { WrittenRecord } from '../query/write.js';
import { existenceChecks, type ReferredRecord } from '../references/existence-checks.js';
import { referredKeys } from '../references/referred-keys.js';
import { exposedRecord } from './exposed-record.js';

/**
 * Has the records looked for that foreign keys in the data of a call refer to, its nested records included: as a link made by `connect`, a key
 * leads to nothing that is not there or that the caller may not see. A record that the call itself creates is there.
 */
export function checkReferences(planned: DataCall, model: ResourceModel): DataCall {
  const written = recordsOf(planned.query);
  const referred = written.flatMap(({ record }) => referredBy(record, model));
  const checks = existenceChecks(
    referred.filter((record) => !written.some((other) => isCreated(other, record))),
    model.storage,
  );
  return checks.length === 0 ? planned : { ...planned, before: checks };
}

function referredBy(record: WrittenRecord, model: ResourceModel): readonly ReferredRecord[] {
  const resource = exposedRecord(record, model);
  // There is no other operation on a key.
  const values = new Map(
    record.fields.flatMap(({ field, operation, value }) => (operation === 'set' ? [[field.name, value] as const] : [])),
  );
  return referredKeys({ resource, storage: model.storage }, values).map(({ target, key, attribute }) => ({
    target,
    key,
    detail: `There is no ${target.model} that ${[...record.at, attribute.name].join('.')} refers to.`,
  }));
}

function isCreated({ record: { action, model, fields } }: RecordOfQuery, { target, key }: ReferredRecord): boolean {
  if (action !== 'create' || model.model !== target.model) return false;
  return Object.entries(key).every(([name, value]) => fields.some((written) => written.field.name === name && written.value === value));
}
