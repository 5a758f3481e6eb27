import type { Relationship } from './surface.js';

/**
 * The end of an include path: the last relationship, and the number of consecutive steps that went back over the previous relationship (in
 * `tags.posts` on a post, one).
 *
 * Because each step back over a to-many relationship multiplies rows that are already in the result, `posts.tags.posts.tags` on 30 tags
 * loads millions of rows. The limit of depth does not prevent that, so a path may not go back twice in a row.
 */
export interface IncludeRoute {
  readonly last?: Relationship;
  readonly turns: number;
}

export const START_OF_ROUTE: IncludeRoute = { turns: 0 };

/** The maximum number of consecutive steps back. */
export const MAX_TURNS = 1;

/** Returns the route extended by one relationship. */
export function further({ last, turns }: IncludeRoute, next: Relationship): IncludeRoute {
  const isTurn = last?.opposite === next.name && (last.many || next.many);
  return { last: next, turns: isTurn ? turns + 1 : 0 };
}
