import type { Surface } from './surface-lock.js';

/** The differences between two surfaces, as lines like `User.email: read, sort`. */
export interface SurfaceChanges {
  readonly opened: readonly string[];
  readonly closed: readonly string[];
}

/** Compares what is open now with what the lock allows. */
export function compareSurfaces(locked: Surface, current: Surface): SurfaceChanges {
  return { opened: beyond(current, locked), closed: beyond(locked, current) };
}

/** What is in one surface and not in the other. */
function beyond(surface: Surface, other: Surface): readonly string[] {
  return [...surface].flatMap(([place, rights]) => {
    const known = other.get(place);
    const more = rights.filter((right) => !covers(known ?? [], right));
    // A model without actions is listed, too, because relations lead to it.
    return more.length > 0 || known === undefined ? [`${place}: ${more.join(', ') || 'nothing but its being there'}`] : [];
  });
}

/** A filter that is open for all operators is open for each, and an action without a rule reaches the rows of any. */
function covers(rights: readonly string[], right: string): boolean {
  const [whole = ''] = right.split(':');
  return rights.includes(right) || rights.includes(whole);
}
