/** A place in the order of a collection. It stays valid when the item at that place is deleted (CP-03). */
export type Position = KeyPosition | EndPosition;

/** A place at the item with these values, or in the gap right behind it (CP-16). */
interface KeyPosition {
  readonly side: 'on' | 'behind';
  /** Values of the order's keys, in the JSON form of their types. */
  readonly values: readonly unknown[];
}

/** The place before all items, or behind all of them. */
interface EndPosition {
  readonly side: 'start' | 'end';
}

const SIDES = ['on', 'behind', 'start', 'end'] as const;

/** Serializes a position as the content of a cursor. */
export function writePosition(position: Position): string {
  return JSON.stringify([SIDES.indexOf(position.side), ...('values' in position ? position.values : [])]);
}

/**
 * Parses the content of a cursor.
 *
 * @param content a text of {@link writePosition}, possibly of an earlier version of the application
 */
export function readPosition(content: string): Position {
  const parsed: unknown = JSON.parse(content);
  const items: readonly unknown[] = Array.isArray(parsed) ? parsed : [];
  const [side, ...values] = items;
  const name = SIDES[Number(side)] ?? 'on';
  return name === 'start' || name === 'end' ? { side: name } : { side: name, values };
}
