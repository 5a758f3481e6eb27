import type { Limits } from '../../model/limits.js';
import type { ResourceModel } from '../../model/resource-model.js';
import type { RestContext } from '../parse/rest-context.js';
import { Projections } from '../projection/projections.js';
import type { RestSettings } from '../rest-settings.js';

/** What planners need in addition to the parsed request: more than parsers do, since queries read hidden keys too. */
export interface PlanContext extends RestContext {
  readonly model: ResourceModel;
}

/** Token of the {@link PlanContext} of a module. */
export const REST_CONTEXT = Symbol.for('nestjs-resource-api: REST_CONTEXT');

/** What all stages of the REST style share. */
export function createRestContext(model: ResourceModel, settings: RestSettings, limits: Limits): PlanContext {
  const projections = new Projections({ ...settings, storage: model.storage, maxTake: limits.maxTake });
  return { model, settings, limits, projections };
}
