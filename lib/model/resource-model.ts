import type { Storage } from './storage/storage.js';
import type { Surface } from './surface/surface.js';

/**
 * What exists, in two views: the surface, which is all that parsers, renderers and documents know, and the storage, for what plans calls of
 * the data client and reads its errors. Every stage reads this one value; none keeps tables of its own about models.
 */
export interface ResourceModel extends Surface {
  readonly storage: Storage;
}
