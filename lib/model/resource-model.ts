import type { Storage } from './storage/storage.js';
import type { Surface } from './surface/surface.js';

/**
 * What exists, in two views: the surface, which is all that parsers, renderers and documents know, and the storage, for what plans calls of
 * the data client and reads its errors. Every stage reads this one value; none keeps tables of its own about models.
 */
export interface ResourceModel extends Surface {
  readonly storage: Storage;
  /** What other callers are shown, where the option `resources` names grants. Absent where it names none. */
  readonly grants?: GrantedModels;
}

/** What is shown to callers by the grants that they hold: a model for each set of grants. */
export interface GrantedModels {
  /** The grants that the option `resources` names. */
  readonly names: readonly string[];
  /**
   * What callers who hold these grants are shown, and no others. Made when it is first asked for, and kept.
   *
   * @throws ConfigurationError for a grant that is not among {@link names}
   */
  of(held: readonly string[]): ResourceModel;
}
