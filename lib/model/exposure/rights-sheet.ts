import type { Rights } from '../surface/surface.js';
import type { ExposedModel } from './exposed-model.js';

/** The intermediate rights of the fields of every exposed model, by model name and field name. */
export type RightsSheet = ReadonlyMap<string, ReadonlyMap<string, Rights>>;

/** The input of a rule. */
export interface RuleContext {
  /** The model whose fields the rule applies to. */
  readonly model: ExposedModel;
  /** All exposed models. */
  readonly models: ReadonlyMap<string, ExposedModel>;
  /** The rights after the previous rules. */
  readonly sheet: RightsSheet;
}

/** The new rights of the fields that a rule affects. */
export type Ruled = Iterable<readonly [field: string, rights: Rights]>;
