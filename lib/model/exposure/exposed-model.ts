import type { SchemaModel } from '../schema/resource-schema.js';
import type { Action } from '../surface/surface.js';
import type { ResourceOptions } from './resources-option.js';

/** The options of a model for callers with certain grants: they contain no `granted(…)`. */
export type ResolvedOptions = ResourceOptions<SchemaModel, never>;

/** An exposed model, with its options. */
export interface ExposedModel {
  readonly model: string;
  readonly schema: SchemaModel;
  readonly options: ResolvedOptions;
  readonly actions: ReadonlySet<Action>;
  /** The version field. */
  readonly version?: string;
  /** The field that holds the time of deletion. */
  readonly deletedAt?: string;
}
