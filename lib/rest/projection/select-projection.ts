import { upTo } from '../../cost/up-to.js';
import type { Storage } from '../../model/storage/storage.js';
import type { Relationship, UniqueKey } from '../../model/surface/surface.js';
import { keyOrder } from './key-order.js';
import type { ResourceProjection, Select } from './projection.js';

/** What a select depends on beside its projection. */
export interface SelectRules {
  readonly storage: Storage;
  /** `limits.maxTake` */
  readonly maxTake: number;
}

/** The `select` that loads a key. */
export function selectKey({ fields }: UniqueKey): Select {
  return Object.fromEntries(fields.map(({ name }) => [name, true]));
}

/**
 * The `select` that loads exactly what a projection shows.
 *
 * An included to-many relationship comes in the order of its resources' keys, and as one row more than `limits.maxTake` at most: enough for the
 * renderer to see that there are too many. It is frozen: many requests share it.
 */
export function selectProjection(
  projection: Pick<ResourceProjection, 'resource' | 'attributes' | 'relationships'>,
  rules: SelectRules,
): Select {
  const select: Record<string, unknown> = { ...selectKey(projection.resource.identifier) };
  for (const { attribute } of projection.attributes) select[attribute.name] = true;
  for (const { relationship, linkage, related } of projection.relationships) {
    if (linkage === 'foreign-key') Object.assign(select, selectForeignKey(relationship));
    if (related) select[relationship.name] = { ...page(relationship, rules), select: related.select };
  }
  return Object.freeze(select);
}

/** The fields of the row's own foreign key, where that is linkage. */
export function selectForeignKey({ linkageKey }: Relationship): Select {
  return Object.fromEntries((linkageKey?.fields ?? []).map((name) => [name, true]));
}

function page({ many, target }: Relationship, { storage, maxTake }: SelectRules): Select {
  return many ? { orderBy: keyOrder(target, storage).map((name) => ({ [name]: 'asc' })), ...upTo(maxTake) } : {};
}
