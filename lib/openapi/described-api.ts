import type { Limits } from '../model/limits.js';
import type { OwnAction, Resource, Surface } from '../model/surface/surface.js';
import type { RestSettings } from '../options/rest-settings.js';
import type { RpcSettings } from '../options/rpc-settings.js';
import type { RecordAction, RecordShape } from '../validation/record-check.js';

/** The parts of one mounted API that a document needs. */
export interface DocumentedApi {
  readonly limits: Limits;
  /** Returns the requirements of the application's validator for records of a model and action. */
  readonly shapeOf: (resource: Resource, action: RecordAction) => RecordShape;
  /** Returns the shape of the body of the application's action; undefined for an action without a body. */
  readonly actionShapeOf: (model: Resource['model'], action: OwnAction) => RecordShape | undefined;
  /** Absent if REST is disabled. */
  readonly rest?: DescribedStyle<RestSettings>;
  /** Absent if RPC is disabled. */
  readonly rpc?: DescribedStyle<RpcSettings>;
}

/** One style of an API. */
export interface DescribedStyle<Settings> {
  /** The resources and actions that the style exposes. */
  readonly surface: Surface;
  /** Its path in the application, with a leading and without a trailing slash; `''` is the root. */
  readonly path: string;
  readonly settings: Settings;
}
