import type { RowOf } from '../executor/row-of.js';
import type { BodyValidator } from '../model/surface/body-validator.js';
import type { OwnAction } from '../model/surface/surface.js';

/** What `@ResourceAction` takes. */
export interface ResourceActionOptions extends Partial<Pick<OwnAction, 'on' | 'right'>> {
  /** What the body must be: a class-validator DTO class, or a Standard Schema. Left out: the action takes none. */
  readonly body?: BodyValidator;
}

/**
 * What the method of an action is given.
 *
 * @typeParam Client your Prisma client, extended or not
 * @typeParam Model Prisma's name of the model
 * @typeParam Body the DTO
 * @typeParam Request the platform's request, with what your guards put on it
 */
export interface ActionOf<Client, Model extends string, Body = undefined, Request = unknown> {
  /** The record that the request names, with all of its fields, hidden ones too; undefined of an action on the collection. */
  readonly record: RowOf<Client, Model>;
  /** What the client sent, once it is checked. */
  readonly body: Body;
  /** The caller's client in the transaction of the action, under the rules. */
  readonly client: Client;
  readonly request: Request;
}

/** An action as it was found on a provider. */
export interface GivenAction extends OwnAction {
  /** Prisma's name of the model. */
  readonly model: string;
  readonly body?: BodyValidator;
  /** E.g. `TaskActions.complete`. */
  readonly place: string;
  /** Whether it restores the record: the package does so itself. */
  readonly restores?: true;
  /** The provider, once there is one. */
  readonly owner: () => unknown;
}

/** By Prisma's name of the model, then by the action's name. */
export type OwnActions = ReadonlyMap<string, ReadonlyMap<string, GivenAction>>;
