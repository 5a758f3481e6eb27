import type { Limits } from '../../model/limits.js';
import type { Surface } from '../../model/surface/surface.js';
import type { ProjectionSource } from '../projection/projection.js';
import type { RestSettings } from '../../options/rest-settings.js';
import type { LocalIds } from './operations/local-ids.js';

/** Everything that parsers, planners and renderers of REST need beside the request; fixed at boot. */
export interface RestContext {
  readonly model: Surface;
  readonly settings: RestSettings;
  readonly limits: Limits;
  readonly projections: ProjectionSource;
  /** Whether a request is parsed for guards only, to find the models and fields that it touches. Required members are then not checked. */
  readonly isOutline?: true;
  /** Present inside an operations request. Resolves local ids of resources that an earlier operation creates. */
  readonly localIds?: Pick<LocalIds, 'resolve'>;
}
