import type { Limits } from '../../model/limits.js';
import type { Surface } from '../../model/surface/surface.js';
import type { ProjectionSource } from '../projection/projection.js';
import type { RestSettings } from '../rest-settings.js';

/** What every stage of the REST style needs in addition to the request; fixed at boot. */
export interface RestContext {
  readonly model: Surface;
  readonly settings: RestSettings;
  readonly limits: Limits;
  readonly projections: ProjectionSource;
}
