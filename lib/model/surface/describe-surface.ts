import type { Action, ClosedRights, Field, KeyedWrites, OwnAction, Resource, Rights, RowState, RowStates, Surface } from './surface.js';
import { ACTIONS, RIGHT_NAMES } from './rights.js';

/** What the API shows of one model, as plain data: for logs, reports and comparison. */
export interface SurfaceEntry {
  /** Prisma's model name. */
  readonly model: string;
  /** JSON:API type. */
  readonly type: string;
  readonly actions: readonly Action[];
  /** Which rows each action reaches: all that the data client shows (`open`), those that a row rule says (`ruled`), or none (`closed`). */
  readonly rows: RowStates;
  readonly attributes: readonly SurfaceField[];
  readonly relationships: readonly SurfaceRelationship[];
  /** Present where pages are those of cursors unless a request asks for others. */
  readonly pagination?: 'cursor';
  /** The host's own operations (`@ResourceAction`), and `restore` of a model with `softDelete`. Absent where there are none. */
  readonly ownActions?: readonly OwnAction[];
  /** Present where records are kept when they are deleted: the field that says when, in Prisma, and whether callers are shown them. */
  readonly softDelete?: NonNullable<Resource['softDelete']>;
  /** The open actions that are refused without the header `Idempotency-Key`. Absent where the option `idempotency` is not given. */
  readonly keyedActions?: readonly string[];
}

export interface SurfaceField {
  /** Prisma's field name. */
  readonly name: string;
  /** JSON:API member name. */
  readonly member: string;
  /** What is open: `read`, `filter` (or `filter:equals,in` where only some operators are), `sort`, `create`, `update`. */
  readonly rights: readonly string[];
  /** What is closed, and why. */
  readonly closed: ClosedRights;
}

export interface SurfaceRelationship extends SurfaceField {
  /** The related Prisma model. */
  readonly target: string;
}

/** Whose surface is described. */
export interface DescribeOptions {
  /** The grants (option `grants`) that the callers hold. @default none */
  readonly grants?: readonly string[];
}

/** A surface that may lead to those of other callers. */
export interface DescribedSurface extends Surface {
  readonly grants?: { of(held: readonly string[]): Surface };
}

/**
 * All that is open, in schema order. Hidden models and fields are not in it.
 *
 * @example
 * for (const { type, actions } of describeSurface(model)) logger.log(`${type}: ${actions.join(', ')}`);
 */
export function describeSurface(surface: DescribedSurface, { grants }: DescribeOptions = {}): readonly SurfaceEntry[] {
  const { resources, rows, ownActions, idempotency } = (grants && surface.grants?.of(grants)) ?? surface;
  return resources.map(({ model, type, actions, attributes, relationships, pagination, softDelete }) => ({
    model,
    type,
    actions: ACTIONS.filter((action) => actions.has(action)),
    rows: describeRows(actions, rows?.get(model)),
    attributes: attributes.map(describeField),
    relationships: relationships.map((relationship) => ({ ...describeField(relationship), target: relationship.target.model })),
    ...(pagination && { pagination }),
    ...describeActions(ownActions?.get(model)),
    ...(softDelete && { softDelete }),
    ...(idempotency && { keyedActions: keyedActions([...actions, ...(ownActions?.get(model)?.keys() ?? [])], model, idempotency) }),
  }));
}

function keyedActions(actions: readonly string[], model: string, { isRequired }: KeyedWrites): readonly string[] {
  return actions.filter((action) => isRequired(model, action));
}

function describeActions(actions: ReadonlyMap<string, OwnAction> | undefined): Pick<SurfaceEntry, 'ownActions'> {
  if (!actions) return {};
  return { ownActions: [...actions.values()].map(({ name, on, right }) => ({ name, on, right })) };
}

/** An action that is closed reaches no row, whatever its rule. */
function describeRows(actions: ReadonlySet<Action>, ruled: RowStates | undefined): RowStates {
  const stateOf = (action: Action): RowState => (actions.has(action) ? (ruled?.[action] ?? 'open') : 'closed');
  return { read: stateOf('read'), create: stateOf('create'), update: stateOf('update'), delete: stateOf('delete') };
}

function describeField({ name, member, rights, closed }: Field): SurfaceField {
  return { name, member, closed, rights: RIGHT_NAMES.flatMap((right) => describeRight(right, rights[right])) };
}

function describeRight(name: keyof Rights, value: Rights[keyof Rights]): readonly string[] {
  if (typeof value === 'boolean') return value ? [name] : [];
  return [`${name}:${[...value].join(',')}`];
}
