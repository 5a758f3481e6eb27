/** A place in the order of a collection: it keeps its meaning when the item that it falls on is gone (CP-03). */
export type Position = KeyPosition | EndPosition;

/** On the item that has these values, or in the gap right behind it (CP-16). */
interface KeyPosition {
  readonly side: 'on' | 'behind';
  /** Of the keys of the order, in JSON's form of their types. */
  readonly values: readonly unknown[];
}

/** Before all items, or behind all of them. */
interface EndPosition {
  readonly side: 'start' | 'end';
}

const SIDES = ['on', 'behind', 'start', 'end'] as const;

/** A position as the content of a cursor. */
export function writePosition(position: Position): string {
  return JSON.stringify([SIDES.indexOf(position.side), ...('values' in position ? position.values : [])]);
}

/** @param content which {@link writePosition} has made, be it in an earlier version of the application */
export function readPosition(content: string): Position {
  const parsed: unknown = JSON.parse(content);
  const items: readonly unknown[] = Array.isArray(parsed) ? parsed : [];
  const [side, ...values] = items;
  const name = SIDES[Number(side)] ?? 'on';
  return name === 'start' || name === 'end' ? { side: name } : { side: name, values };
}
