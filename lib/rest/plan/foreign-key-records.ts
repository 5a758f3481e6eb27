import type { Storage } from '../../model/storage/storage.js';
import type { Resource } from '../../model/surface/surface.js';
import type { ReferredRecord } from '../../references/existence-checks.js';
import { referredKeys } from '../../references/referred-keys.js';
import type { ResourceContent } from '../parse/write-intent.js';

/** The records that foreign keys among the attributes refer to, unless their relationship is given itself. */
export function foreignKeyRecords(resource: Resource, { attributes, linkages }: ResourceContent, storage: Storage): ReferredRecord[] {
  const values = new Map(attributes.map(({ attribute, value }) => [attribute.name, value]));
  const linked = new Set(linkages.map(({ relationship }) => relationship));
  return referredKeys({ resource, storage, linked }, values).map(({ target, key, attribute, columns }) => {
    const pointer = attributes.find((given) => given.attribute === attribute)?.pointer;
    const detail = `There is no ${target.type} that '${attribute.member}' refers to.`;
    return { target, key, detail, columns, ...(pointer !== undefined && { source: { pointer } }) };
  });
}
