import type { SchemaModel } from '../schema/resource-schema.js';
import type { Action } from '../surface/surface.js';
import type { ResourceOptions } from './resources-option.js';

/** What is said of a model, as it is for callers who hold certain grants. */
export type SettledOptions = ResourceOptions<SchemaModel, never>;

/** A model that exists in the API, with what is said of it. */
export interface ExposedModel {
  readonly model: string;
  readonly schema: SchemaModel;
  readonly options: SettledOptions;
  readonly actions: ReadonlySet<Action>;
  /** The field that counts the changes of a row. */
  readonly version?: string;
  /** The field that says when a row was deleted. */
  readonly deletedAt?: string;
}
