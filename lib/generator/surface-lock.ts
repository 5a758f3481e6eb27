import type { SurfaceEntry } from '../model/surface/describe-surface.js';
import { ACTIONS } from '../model/surface/rights.js';
import type { Action, RowState } from '../model/surface/surface.js';
import { isObject } from '../utils/is-object.js';

/**
 * What is open, in the form that is committed and reviewed: by the place (`User` for a model, `User.email` for a field), in schema order, the
 * rights there. A filter that is open for some operators counts as one right an operator: `filter:equals`; an action under a row rule is less than
 * one without: `read:ruled`.
 */
export type Surface = ReadonlyMap<string, readonly string[]>;

/** The surface of a model, as `describeSurface` tells it. Names of the REST style are not in it: they open nothing. */
export function surfaceOf(entries: readonly SurfaceEntry[]): Surface {
  return new Map(
    entries.flatMap(({ model, rows, attributes, relationships }): readonly (readonly [string, readonly string[]])[] => [
      [model, ACTIONS.flatMap((action) => actionIn(action, rows[action]))],
      ...[...attributes, ...relationships].map(({ name, rights }) => [`${model}.${name}`, rights.flatMap(splitOperators)] as const),
    ]),
  );
}

function actionIn(action: Action, state: RowState): readonly string[] {
  if (state === 'closed') return [];
  return [state === 'open' ? action : `${action}:${state}`];
}

/** The text of a lock file, with one line per model and field, so that its diff is readable. */
export function printLock(surface: Surface): string {
  const open = Object.fromEntries([...surface].map(([place, rights]) => [place, rights.join(' ')]));
  return `${JSON.stringify({ version: 1, open }, undefined, 2)}\n`;
}

/** @throws Error for a text that is no lock file */
export function readLock(text: string): Surface {
  const lock: unknown = JSON.parse(text);
  if (!isObject(lock) || lock['version'] !== 1 || !isObject(lock['open'])) throw new Error('It is no surface lock of version 1.');
  return new Map(Object.entries(lock['open']).map(([place, rights]) => [place, String(rights).split(' ').filter(Boolean)]));
}

function splitOperators(right: string): readonly string[] {
  const [name = '', operators] = right.split(':');
  return operators === undefined ? [name] : operators.split(',').map((operator) => `${name}:${operator}`);
}
