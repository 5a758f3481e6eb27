import type { Relationship } from './surface.js';

/**
 * The relationships that an include leads along, and how often in a row it turned straight back over the one it came by
 * (`tags.posts` on a post does, once).
 *
 * Each turn over a to-many multiplies rows that are in the answer already: `posts.tags.posts.tags` on 30 tags loads millions. Depth alone
 * does not bound that, so a route may not turn back twice in a row.
 */
export interface IncludeRoute {
  readonly last?: Relationship;
  readonly turns: number;
}

export const START_OF_ROUTE: IncludeRoute = { turns: 0 };

/** The most turns in a row. */
export const MAX_TURNS = 1;

/** The route, one relationship further. */
export function further({ last, turns }: IncludeRoute, next: Relationship): IncludeRoute {
  const isTurn = last?.opposite === next.name && (last.many || next.many);
  return { last: next, turns: isTurn ? turns + 1 : 0 };
}
