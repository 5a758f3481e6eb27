/** Token of the {@link RestContexts} of a module. */

import type { Limits } from '../../model/limits.js';
import type { ResourceModel } from '../../model/resource-model.js';
import { Cursors } from '../cursor/cursors.js';
import { Projections } from '../projection/projections.js';
import type { RestSettings } from '../../options/rest-settings.js';
import type { PlanContext } from './plan-context.js';
import { windowPlanner } from './plan-page.js';

export const REST_CONTEXTS = Symbol.for('nestjs-resource-api: REST_CONTEXTS');

/** The contexts of a module: one for what each caller is shown, made when it is first needed. */
export class RestContexts {
  private readonly known = new WeakMap<ResourceModel, PlanContext>();
  private readonly cursors: Cursors;

  constructor(
    private readonly settings: RestSettings,
    private readonly limits: Limits,
  ) {
    this.cursors = new Cursors(settings.cursorKeys);
  }

  of(model: ResourceModel): PlanContext {
    const known = this.known.get(model);
    if (known) return known;
    const made = createRestContext(model, this.settings, this.limits, this.cursors);
    this.known.set(model, made);
    return made;
  }
}

/** What all stages of the REST style share. */
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
