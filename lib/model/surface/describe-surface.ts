import type { Action, ClosedRights, Field, KeyedWrites, OwnAction, Resource, Rights, RowState, RowStates, Surface } from './surface.js';
import { ACTIONS, RIGHT_NAMES } from './rights.js';

/** The exposed part of one model, as plain data for logs, reports and comparison. */
export interface SurfaceEntry {
  /** Prisma's model name. */
  readonly model: string;
  /** JSON:API type. */
  readonly type: string;
  readonly actions: readonly Action[];
  /** The rows that each action reaches: all that the data client returns (`open`), those that match a row rule (`ruled`), or none (`closed`). */
  readonly rows: RowStates;
  readonly attributes: readonly SurfaceField[];
  readonly relationships: readonly SurfaceRelationship[];
  /** Set to `cursor` where cursor pagination is the default. */
  readonly pagination?: 'cursor';
  /** The application's operations (`@ResourceAction`), and `restore` of a model with `softDelete`. Absent where there are none. */
  readonly ownActions?: readonly OwnAction[];
  /** The Prisma field that holds the time of deletion, and whether soft-deleted rows are visible to callers. Absent without `softDelete`. */
  readonly softDelete?: NonNullable<Resource['softDelete']>;
  /** The allowed actions that require the header `Idempotency-Key`. Absent without the option `idempotency`. */
  readonly keyedActions?: readonly string[];
}

export interface SurfaceField {
  /** Prisma's field name. */
  readonly name: string;
  /** JSON:API member name. */
  readonly member: string;
  /** The allowed rights: `read`, `filter` (or `filter:equals,in` where only some operators are allowed), `sort`, `create`, `update`. */
  readonly rights: readonly string[];
  /** The denied rights, with their reasons. */
  readonly closed: ClosedRights;
}

export interface SurfaceRelationship extends SurfaceField {
  /** The related Prisma model. */
  readonly target: string;
}

/** Options of {@link describeSurface}. */
export interface DescribeOptions {
  /** The grants (option `grants`) of the callers whose surface is described. @default none */
  readonly grants?: readonly string[];
}

/** A surface with access to the surfaces of callers with grants. */
export interface DescribedSurface extends Surface {
  readonly grants?: { of(held: readonly string[]): Surface };
}

/**
 * Describes everything that is exposed, in schema order. Hidden models and fields are not included.
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

/** Returns the state of each action. An action that is not allowed reaches no row, regardless of its rule. */
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
