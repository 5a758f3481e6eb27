import type { SurfaceEntry, SurfaceField } from './describe-surface.js';
import type { RightsByPlace } from './rights-by-place.js';
import { ACTIONS, RIGHT_NAMES } from './rights.js';
import type { RowState } from './surface.js';

/**
 * Returns one line for the boot log about what a model exposes: its actions, then its fields and relationships, grouped by their rights.
 * Hidden models and fields are not named.
 *
 * @example
 * printSurface(entry); // 'User is open to read, update as user: id, name (read, filter, sort, create, update); pin (create, update)'
 */
export function printSurface({ model, type, actions, attributes, relationships }: SurfaceEntry): string {
  const groups = new Map<string, string[]>();
  for (const field of [...attributes, ...relationships]) {
    const rights = field.rights.map(printRight).join(', ');
    groups.set(rights, [...(groups.get(rights) ?? []), printField(field)]);
  }
  const fields = [...groups].map(([rights, names]) => `${names.join(', ')} (${rights})`);
  return `${model} is open to ${actions.join(', ') || 'nothing'} as ${type}: ${fields.join('; ')}`;
}

/** Returns the name of a field, with its REST name if that is different. */
function printField({ name, member }: SurfaceField): string {
  return name === member ? name : `${name} as ${member}`;
}

/** Replaces `filter:equals,in` by `filter by equals in`, because commas separate the rights. */
function printRight(right: string): string {
  const [name = '', operators] = right.split(':');
  return operators === undefined ? name : `${name} by ${operators.replaceAll(',', ' ')}`;
}

/**
 * Returns one line about the denied rights of exposed fields, each with its reason; undefined where there are none.
 *
 * @example
 * printClosed(entry); // 'User closes read, filter, sort of pin (comment)'
 */
export function printClosed({ model, attributes, relationships }: SurfaceEntry): string | undefined {
  const groups = new Map<string, string[]>();
  for (const { name, closed } of [...attributes, ...relationships]) {
    for (const reason of new Set(Object.values(closed))) {
      const rights = RIGHT_NAMES.filter((right) => closed[right] === reason).join(', ');
      const group = `${rights} of %s (${reason})`;
      groups.set(group, [...(groups.get(group) ?? []), name]);
    }
  }
  const texts = [...groups].map(([group, names]) => group.replace('%s', names.join(', ')));
  return texts.length === 0 ? undefined : `${model} closes ${texts.join('; ')}`;
}

/**
 * Returns one line about the rights that grants add to a model; undefined where they add none.
 *
 * @example
 * printGranted('User', rights); // 'Grants open of User: delete(admin); salary read(hr), filter(hr)'
 */
export function printGranted(model: string, rights: RightsByPlace): string | undefined {
  const texts = [...rights].flatMap(([place, open]) => {
    const granted = open.filter((right) => right.endsWith(')')).join(', ');
    if (granted === '') return [];
    if (place === model) return [granted];
    return place.startsWith(`${model}.`) ? [`${place.slice(model.length + 1)} ${granted}`] : [];
  });
  return texts.length === 0 ? undefined : `Grants open of ${model}: ${texts.join('; ')}`;
}

/**
 * Returns one line for the boot log about the rows that each action of a model reaches.
 *
 * @example
 * printRows(entry); // 'Rows of Post: read, create, update ruled; delete closed'
 */
export function printRows({ model, rows }: SurfaceEntry): string {
  const texts = ROW_STATES.flatMap((state) => {
    const actions = ACTIONS.filter((action) => rows[action] === state);
    return actions.length > 0 ? [`${actions.join(', ')} ${state}`] : [];
  });
  return `Rows of ${model}: ${texts.join('; ')}`;
}

const ROW_STATES: readonly RowState[] = ['open', 'ruled', 'closed'];
