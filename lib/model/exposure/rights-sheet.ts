import type { Rights } from '../surface/surface.js';
import type { ExposedModel } from './exposed-model.js';

/** What is open of the fields of every exposed model, so far: by model, then by field. */
export type RightsSheet = ReadonlyMap<string, ReadonlyMap<string, Rights>>;

/** What a rule may look at. */
export interface RuleContext {
  /** The model whose fields it rules. */
  readonly model: ExposedModel;
  /** All exposed models. */
  readonly models: ReadonlyMap<string, ExposedModel>;
  /** What the rules before it have left. */
  readonly sheet: RightsSheet;
}

/** The rights that a rule leaves to the fields that it has something to say of. */
export type Ruled = Iterable<readonly [field: string, rights: Rights]>;
