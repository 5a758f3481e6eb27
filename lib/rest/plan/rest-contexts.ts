import type { Limits } from '../../model/limits.js';
import type { ResourceModel } from '../../model/resource-model.js';
import { Cursors } from '../cursor/cursors.js';
import { Projections } from '../projection/projections.js';
import type { RestSettings } from '../../options/rest-settings.js';
import { memoizeByObject } from '../../utils/memoize-by-object.js';
import type { PlanContext } from './plan-context.js';
import { windowPlanner } from './plan-page.js';

/** Injection token of the {@link RestContexts} of a module. */
export const REST_CONTEXTS = Symbol.for('nestjs-resource-api: REST_CONTEXTS');

/** The contexts of a module: one for each model that is exposed to a caller, created on first use. */
export class RestContexts {
  readonly of: (model: ResourceModel) => PlanContext;

  constructor(settings: RestSettings, limits: Limits) {
    const cursors = new Cursors(settings.cursorKeys);
    this.of = memoizeByObject((model) => createRestContext(model, settings, limits, cursors));
  }
}

/** Creates the context that the parsers, planners and renderers of REST share. */
export function createRestContext(
  model: ResourceModel,
  settings: RestSettings,
  limits: Limits,
  cursors = new Cursors(settings.cursorKeys),
): PlanContext {
  const { storage } = model;
  const planWindow = windowPlanner({ model, cursors, limits });
  const projections = new Projections({ ...settings, storage, maxTake: limits.maxTake, planWindow });
  return { model, settings, limits, projections, cursors };
}
