import type { RowOf } from '../executor/data-client.js';
import type { BodyValidator } from '../model/surface/body-validator.js';
import type { OwnAction } from '../model/surface/surface.js';

/** The options of `@ResourceAction`. */
export interface ResourceActionOptions extends Partial<Pick<OwnAction, 'on' | 'right' | 'documentation'>> {
  /** The validator of the request body: a class-validator DTO class, or a Standard Schema. Without it, the action takes no body. */
  readonly body?: BodyValidator;
}

/**
 * The argument of an action method.
 *
 * @typeParam Client your Prisma client, extended or not
 * @typeParam Model Prisma's name of the model
 * @typeParam Body the DTO
 * @typeParam Request the platform's request, with what your guards put on it
 */
export interface ActionOf<Client, Model extends string, Body = undefined, Request = unknown> {
  /** The record that the request names, with all of its fields, hidden ones included; undefined for an action on the collection. */
  readonly record: RowOf<Client, Model>;
  /** The validated request body. */
  readonly body: Body;
  /** The client in the transaction of the action, which enforces the caller's rules. */
  readonly client: Client;
  readonly request: Request;
}

/** An action method of a provider, with the arguments of its decorator. */
export interface ActionMethod extends OwnAction {
  /** Prisma's name of the model. */
  readonly model: string;
  readonly body?: BodyValidator;
  /** The class and method, e.g. `TaskActions.complete`. */
  readonly place: string;
  /** Whether the action restores a soft-deleted record. The package implements this action itself. */
  readonly restores?: true;
  /** Returns the instance of the provider, once Nest has created it. */
  readonly owner: () => unknown;
}

/** The actions, by Prisma's name of the model, then by the action's name. */
export type ApplicationActions = ReadonlyMap<string, ReadonlyMap<string, ActionMethod>>;
