import type { SurfaceEntry, SurfaceField } from './describe-surface.js';
import type { RightsByPlace } from './rights-by-place.js';
import { ACTIONS, RIGHT_NAMES } from './rights.js';
import type { RowState } from './surface.js';

/**
 * One line about what is open of a model: its actions, then its fields and relationships, those with the same rights together. For the
 * boot log; like the surface itself it names nothing that is hidden.
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

/** A field that has another name in REST is shown with both. */
function printField({ name, member }: SurfaceField): string {
  return name === member ? name : `${name} as ${member}`;
}

/** `filter:equals,in` reads better with its operators apart from the other rights. */
function printRight(right: string): string {
  const [name = '', operators] = right.split(':');
  return operators === undefined ? name : `${name} by ${operators.replaceAll(',', ' ')}`;
}

/**
 * One line about the rights that are closed of fields that exist, each with its reason; undefined where there are none.
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
 * One line about what grants open of a model; undefined where they open nothing.
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
 * One line about which rows the actions of a model reach, for the boot log.
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
