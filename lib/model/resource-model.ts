import type { Storage } from './storage/storage.js';
import type { Surface } from './surface/surface.js';

/**
 * The models of the application in two views. Parsers, renderers and documents read only the surface. Planners, and the mapping of database
 * errors, read the storage view. No other room has tables about models.
 */
export interface ResourceModel extends Surface {
  readonly storage: Storage;
  /** The models for callers with grants. Absent where the option `resources` names none. */
  readonly grants?: GrantedModels;
}

/** The models for callers with grants: one for each set of grants. */
export interface GrantedModels {
  /** The grants that the option `resources` names. */
  readonly names: readonly string[];
  /**
   * Returns the model for callers with exactly these grants. It is built at its first use, then cached.
   *
   * @throws ConfigurationError for a grant that is not among {@link names}
   */
  of(held: readonly string[]): ResourceModel;
}
