import type { Resource, Surface } from '../model/surface/surface.js';
import type { WrittenRecord } from '../query/write.js';

/** Returns the resource of a record in a client's data, which can only name exposed models. */
export function exposedRecord({ model }: WrittenRecord, { byModel }: Pick<Surface, 'byModel'>): Resource {
  const resource = byModel.get(model.model);
  if (!resource) throw new TypeError(`A client's data names '${model.model}', which is not exposed.`);
  return resource;
}
