import type { Limits } from '../../model/limits.js';
import type { Surface } from '../../model/surface/surface.js';
import type { ProjectionSource } from '../projection/projection.js';
import type { RestSettings } from '../../options/rest-settings.js';
import type { LocalIds } from './operations/local-ids.js';

/** What every stage of the REST style needs in addition to the request; fixed at boot. */
export interface RestContext {
  readonly model: Surface;
  readonly settings: RestSettings;
  readonly limits: Limits;
  readonly projections: ProjectionSource;
  /** Whether only what is asked matters, as to guards: nobody knows yet what its caller has to give. */
  readonly isOutline?: true;
  /** Present where an operation may name a resource that one before it creates. */
  readonly localIds?: Pick<LocalIds, 'resolve'>;
}
