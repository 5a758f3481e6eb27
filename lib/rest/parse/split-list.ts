/** One element of a comma list, and where it starts in the text, counted from 1. */
export interface ListItem {
  readonly text: string;
  readonly position: number;
}

/** Splits the value of `sort`, `include` or `fields[…]`; an empty value has no elements. */
export function splitList(value: string): readonly ListItem[] {
  if (value === '') return [];
  let position = 1;
  return value.split(',').map((text) => {
    const item = { text, position };
    position += text.length + 1;
    return item;
  });
}
