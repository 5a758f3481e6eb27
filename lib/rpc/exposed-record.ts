import type { Resource, Surface } from '../model/surface/surface.js';
import type { WrittenRecord } from '../query/write.js';

/** The resource that a record of a client's is one of: a client names no other. */
export function exposedRecord({ model }: WrittenRecord, { byModel }: Pick<Surface, 'byModel'>): Resource {
  const resource = byModel.get(model.model);
  if (!resource) throw new TypeError(`A client's data names '${model.model}', which is not exposed.`);
  return resource;
}
