import { covers, type RightsByPlace } from '../model/surface/rights-by-place.js';

/** The differences between two surfaces, as lines like `User.email: read, sort`. */
export interface SurfaceChanges {
  readonly opened: readonly string[];
  readonly closed: readonly string[];
}

/** Compares what is open now with what the lock allows. */
export function compareSurfaces(locked: RightsByPlace, current: RightsByPlace): SurfaceChanges {
  return { opened: beyond(current, locked), closed: beyond(locked, current) };
}

/** What is in one surface and not in the other. */
function beyond(surface: RightsByPlace, other: RightsByPlace): readonly string[] {
  return [...surface].flatMap(([place, rights]) => {
    const known = other.get(place);
    const more = rights.filter((right) => !covers(known ?? [], right));
    // A model without actions is listed, too, because relations lead to it.
    return more.length > 0 || known === undefined ? [`${place}: ${more.join(', ') || 'nothing but its being there'}`] : [];
  });
}
