import { type DescribedSurface, describeSurface, type SurfaceEntry } from './describe-surface.js';
import { ACTIONS, RIGHT_NAMES } from './rights.js';
import type { Action, RowState, Surface } from './surface.js';

/**
 * The allowed rights by place (`User` for a model, `User.email` for a field), in schema order, in a form for comparison.
 * A filter with a list of operators is one right per operator: `filter:equals`. An action under a row rule is a weaker right: `read:ruled`.
 * A right that needs a grant names it: `read(hr)`, or `read(hr+admin)` where several grants are needed together.
 */
export type RightsByPlace = ReadonlyMap<string, readonly string[]>;

/** A surface with access to the surfaces of callers with grants, and the names of the grants. */
interface GrantedSurface extends DescribedSurface {
  readonly grants?: { readonly names: readonly string[]; of(held: readonly string[]): Surface };
}

/** Returns all rights that a surface allows: to every caller, and to callers with grants. REST names are not included, because they allow nothing. */
export function rightsByPlace(surface: GrantedSurface): RightsByPlace {
  const { names = [] } = surface.grants ?? {};
  const rightsOfAll = rightsOf(describeSurface(surface));
  if (names.length === 0) return rightsOfAll;
  const held = [...names.map((name) => [name]), names].map((grants) => ({
    grants: grants.join('+'),
    rights: rightsOf(describeSurface(surface, { grants })),
  }));
  // The surface of callers with all grants contains every place.
  const places = held.at(-1)?.rights ?? rightsOfAll;
  return new Map([...places.keys()].map((place) => [place, rightsAt(place, rightsOfAll, held)]));
}

function rightsAt(
  place: string,
  everybodys: RightsByPlace,
  held: readonly { readonly grants: string; readonly rights: RightsByPlace }[],
): readonly string[] {
  const open = [...(everybodys.get(place) ?? [])];
  for (const { grants, rights } of held) {
    const own = (rights.get(place) ?? []).map((right) => `${right}(${grants})`);
    open.push(...own.filter((right) => !includesRight(open, right)));
  }
  return open.sort((one, other) => ORDER.indexOf(splitRight(one).name) - ORDER.indexOf(splitRight(other).name));
}

/** The order of the actions and of the rights of fields. */
const ORDER: readonly string[] = [...RIGHT_NAMES, 'delete'];

/**
 * Whether one of the allowed rights includes a right. A filter by all operators includes each operator. An action without a rule includes
 * the action with a rule.
 * A right of every caller, or of one grant, includes the same right of several grants.
 */
export function includesRight(open: readonly string[], right: string): boolean {
  const requested = splitRight(right);
  return open.some((one) => {
    const { name, by, grants } = splitRight(one);
    return (
      name === requested.name && (by === undefined || by === requested.by) && grants.every((grant) => requested.grants.includes(grant))
    );
  });
}

/** Splits a right: `filter:equals(hr+admin)` is the right `filter` by `equals`, which needs both grants. */
function splitRight(right: string): { readonly name: string; readonly by: string | undefined; readonly grants: readonly string[] } {
  const start = right.indexOf('(');
  const [name = '', by] = (start < 0 ? right : right.slice(0, start)).split(':');
  return { name, by, grants: start < 0 ? [] : right.slice(start + 1, -1).split('+') };
}

type RightsAtPlace = readonly [place: string, rights: readonly string[]];

function rightsOf(entries: readonly SurfaceEntry[]): RightsByPlace {
  return new Map(
    entries.flatMap(({ model, rows, attributes, relationships, ownActions = [], softDelete }): readonly RightsAtPlace[] => [
      [model, ACTIONS.flatMap((action) => actionIn(action, rows[action]))],
      ...(softDelete?.isShown ? [[`${model}.(deleted)`, ['read']] as const] : []),
      ...[...attributes, ...relationships].map(({ name, rights }) => [`${model}.${name}`, rights.flatMap(splitOperators)] as const),
      ...ownActions.map(({ name, right }) => [`${model}.${name}()`, [right]] as const),
    ]),
  );
}

function actionIn(action: Action, state: RowState): readonly string[] {
  if (state === 'closed') return [];
  return [state === 'open' ? action : `${action}:${state}`];
}

function splitOperators(right: string): readonly string[] {
  const [name = '', operators] = right.split(':');
  return operators === undefined ? [name] : operators.split(',').map((operator) => `${name}:${operator}`);
}
