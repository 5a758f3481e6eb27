import type { Resource } from '../../model/surface/surface.js';

/** Whether an update changes nothing that it does not say (UP-07): nothing is filled in, counted or computed at every write. */
export function changesAsAsked({ attributes, version }: Resource): boolean {
  return version === undefined && attributes.every(({ updatedAt, computed }) => updatedAt !== true && computed !== true);
}
