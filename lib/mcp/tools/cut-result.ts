/** A list, as far as it fits. */
export interface CutList {
  readonly kept: readonly unknown[];
  /** The number of items that do not fit. */
  readonly leftOut: number;
}

/** Returns the first items of a list whose JSON text is within a limit. */
export function cutList(items: readonly unknown[], maxBytes: number): CutList {
  let left = maxBytes;
  const end = items.findIndex((item) => (left -= jsonBytes(item) + 1) < 0);
  const kept = end < 0 ? items : items.slice(0, end);
  return { kept, leftOut: items.length - kept.length };
}

/** Returns the size of the JSON text of a value. */
export function jsonBytes(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}

/** Returns values as far as they fit together. A list is cut; any other value that does not fit becomes null, and counts as one item. */
export function cutValues(values: readonly unknown[], maxBytes: number): CutList {
  let left = maxBytes;
  let leftOut = 0;
  const kept = values.map((value) => {
    const list = Array.isArray(value) ? cutList(value, left) : cutList([value], left);
    left -= jsonBytes(list.kept);
    leftOut += list.leftOut;
    return Array.isArray(value) ? list.kept : (list.kept[0] ?? null);
  });
  return { kept, leftOut };
}
