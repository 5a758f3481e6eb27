import type { Resource } from '../../model/surface/surface.js';
import type { ArgumentPath } from './argument-path.js';

/**
 * Plans the value of one argument key: what the data client gets in its place.
 *
 * @throws ApiError with the path of whatever the resource does not have, is closed, is of a wrong type or over a limit
 */
export type ArgumentPlanner = (resource: Resource, value: unknown, path: ArgumentPath) => unknown;

/** One argument, or a part of one. */
export interface Argument {
  readonly plan: ArgumentPlanner;
  /** What {@link plan} takes, for documents of the API. */
  readonly takes: ArgumentType;
}

/** What an argument takes: one of the inputs that every model has, or something made of them. */
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

/** The inputs of a model, most of them by the names of Prisma's types: `where` is `PostWhereInput`. */
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
