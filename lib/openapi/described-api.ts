import type { Limits } from '../model/limits.js';
import type { OwnAction, Resource, Surface } from '../model/surface/surface.js';
import type { RestSettings } from '../options/rest-settings.js';
import type { RpcSettings } from '../options/rpc-settings.js';
import type { RecordAction, RecordShape } from '../validation/record-check.js';
import { reachesRows } from '../model/surface/reaches-rows.js';
import { type JsonSchema, objectOf } from './json-schema.js';

/** One mounted API, as far as documents of it need to know. */
export interface DescribedApi {
  readonly limits: Limits;
  /** What the host's validator of a model and action requires of records. */
  readonly shapeOf: (resource: Resource, action: RecordAction) => RecordShape;
  /** What the body of an action of the host's own must be; undefined for one that takes none. */
  readonly actionShapeOf: (model: Resource['model'], action: OwnAction) => RecordShape | undefined;
  /** Absent where the style is off. */
  readonly rest?: DescribedStyle<RestSettings>;
  /** Absent where the style is off. */
  readonly rpc?: DescribedStyle<RpcSettings>;
}

/** One style of an API. */
export interface DescribedStyle<Settings> {
  /** What the style serves. */
  readonly surface: Surface;
  /** Its path in the application, with a leading and without a trailing slash; `''` is the root. */
  readonly path: string;
  readonly settings: Settings;
}

/** The host's own operations on a resource that are open. */
export function ownActionsOf(resource: Resource, surface: Surface): readonly OwnAction[] {
  const actions = [...(surface.ownActions?.get(resource.model)?.values() ?? [])];
  return actions.filter(({ right }) => resource.actions.has(right) && reachesRows(surface, resource, right));
}

/** What a validator of the host requires of a body. */
export function bodySchema({ fields, required }: RecordShape): JsonSchema {
  return objectOf(Object.fromEntries(fields), [...required]);
}
