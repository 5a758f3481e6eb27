import { type DescribedSurface, describeSurface, type SurfaceEntry } from './describe-surface.js';
import { ACTIONS, RIGHT_NAMES } from './rights.js';
import type { Action, RowState, Surface } from './surface.js';

/**
 * What is open, in a form that is read and compared: by the place (`User` for a model, `User.email` for a field), in schema order, the rights there.
 * A filter that is open for some operators counts as one right an operator: `filter:equals`; an action under a row rule is less than one without:
 * `read:ruled`. A right that takes a grant counts once a grant, which it names: `read(hr)`, and `read(hr+admin)` where it takes several.
 */
export type RightsByPlace = ReadonlyMap<string, readonly string[]>;

/** A surface that may lead to those of other callers. */
interface GrantedSurface extends DescribedSurface {
  readonly grants?: { readonly names: readonly string[]; of(held: readonly string[]): Surface };
}

/** All that a surface opens, to everybody and to callers of grants. Names of the REST style are not in it: they open nothing. */
export function rightsByPlace(surface: GrantedSurface): RightsByPlace {
  const { names = [] } = surface.grants ?? {};
  const everybodys = rightsOf(describeSurface(surface));
  if (names.length === 0) return everybodys;
  const held = [...names.map((name) => [name]), names].map((grants) => ({
    grants: grants.join('+'),
    rights: rightsOf(describeSurface(surface, { grants })),
  }));
  // Callers who hold all grants are shown all places.
  const places = held.at(-1)?.rights ?? everybodys;
  return new Map([...places.keys()].map((place) => [place, rightsAt(place, everybodys, held)]));
}

function rightsAt(
  place: string,
  everybodys: RightsByPlace,
  held: readonly { readonly grants: string; readonly rights: RightsByPlace }[],
): readonly string[] {
  const open = [...(everybodys.get(place) ?? [])];
  for (const { grants, rights } of held) {
    const own = (rights.get(place) ?? []).map((right) => `${right}(${grants})`);
    open.push(...own.filter((right) => !covers(open, right)));
  }
  return open.sort((one, other) => ORDER.indexOf(splitRight(one).name) - ORDER.indexOf(splitRight(other).name));
}

/** Of actions, and of rights of fields. */
const ORDER: readonly string[] = [...RIGHT_NAMES, 'delete'];

/**
 * Whether what is open covers a right: a filter that is open for all operators is open for each, an action without a rule reaches the rows of any, and
 * what is open to everybody, or to callers of one grant, is open to those of several.
 */
export function covers(open: readonly string[], right: string): boolean {
  const asked = splitRight(right);
  return open.some((one) => {
    const { name, by, grants } = splitRight(one);
    return name === asked.name && (by === undefined || by === asked.by) && grants.every((grant) => asked.grants.includes(grant));
  });
}

/** `filter:equals(hr+admin)` is of `filter`, by `equals`, and takes both grants. */
function splitRight(right: string): { readonly name: string; readonly by: string | undefined; readonly grants: readonly string[] } {
  const start = right.indexOf('(');
  const [name = '', by] = (start < 0 ? right : right.slice(0, start)).split(':');
  return { name, by, grants: start < 0 ? [] : right.slice(start + 1, -1).split('+') };
}

type Place = readonly [place: string, rights: readonly string[]];

function rightsOf(entries: readonly SurfaceEntry[]): RightsByPlace {
  return new Map(
    entries.flatMap(({ model, rows, attributes, relationships, ownActions = [], softDelete }): readonly Place[] => [
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
