import type { SchemaModel } from '../schema/resource-schema.js';
import type { Action } from '../surface/surface.js';
import type { ResourceOptions } from './resources-option.js';

/** A model that exists in the API, with what is said of it. */
export interface ExposedModel {
  readonly model: string;
  readonly schema: SchemaModel;
  readonly options: ResourceOptions;
  readonly actions: ReadonlySet<Action>;
}
