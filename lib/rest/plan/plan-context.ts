import type { ResourceModel } from '../../model/resource-model.js';
import type { Cursors } from '../cursor/cursors.js';
import type { RestContext } from '../parse/rest-context.js';

/** What planners need in addition to the parsed request: more than parsers do, since queries read hidden keys too. */
export interface PlanContext extends RestContext {
  readonly model: ResourceModel;
  /** Writes and reads the cursors of pages. */
  readonly cursors: Cursors;
}
