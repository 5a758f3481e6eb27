import type { Resource } from '../../model/surface/surface.js';
import type { ArgumentPath } from './argument-path.js';

/**
 * Plans the value of one argument: the planner returns the node for the query.
 *
 * @throws ApiError with the path of a member that is unknown, not exposed, of a wrong type or over a limit
 */
export type ArgumentPlanner = (resource: Resource, value: unknown, path: ArgumentPath) => unknown;

/** The planner of an argument, or of a part of one. */
export interface Argument {
  readonly plan: ArgumentPlanner;
  /** The type that {@link plan} accepts, for the OpenAPI document. */
  readonly takes: ArgumentType;
}

/** The type of an argument: an input of the model, or a combination of inputs. */
export type ArgumentType =
  | InputName
  | { readonly kind: 'one-or-many'; readonly of: ArgumentType }
  | {
      readonly kind: 'parts';
      readonly name: string;
      readonly parts: Readonly<Record<string, ArgumentType>>;
      readonly required: readonly string[];
    }
  | { readonly kind: 'either'; readonly of: readonly ArgumentType[] };

/** The inputs of a model, mostly after Prisma's types: `where` is `PostWhereInput`. */
export type InputName =
  | 'where'
  | 'scalar-where'
  | 'unique-where'
  | 'cursor'
  | 'order'
  | 'group-order'
  | 'having'
  | 'field-names'
  | 'create-data'
  | 'create-many-data'
  | 'update-data'
  | 'update-many-data'
  | 'count-aggregate'
  | 'aggregate-avg'
  | 'aggregate-sum'
  | 'aggregate-min'
  | 'aggregate-max'
  | 'take'
  | 'count'
  | 'flag'
  | 'load-strategy';
