import type { ResourceModel } from '../../model/resource-model.js';
import type { Cursors } from '../cursor/cursors.js';
import type { RestContext } from '../parse/rest-context.js';

/** The context of planners. Unlike the context of parsers it has the whole model, because queries also read hidden keys. */
export interface PlanContext extends RestContext {
  readonly model: ResourceModel;
  /** Encrypts and decrypts the cursors of pages. */
  readonly cursors: Cursors;
}
