/** One element of a comma list, and where it starts in the text, counted from 1. */
interface ListItem {
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

/**
 * Splits the value of a filter at its commas (specification, section 4.1.1, rule 3). `\,` is a comma of the value itself (decision D15).
 *
 * A value that ends in a backslash doubles it before the comma that follows: `a\\,b` is `a\` and `b`. All other backslashes are themselves,
 * those of an escaped compound id among them.
 *
 * @example
 * splitValues('Smith\\, John,Ann'); // ['Smith, John', 'Ann']
 */
export function splitValues(text: string): readonly string[] {
  const values: string[] = [];
  let value = '';
  let from = 0;
  for (const { 0: match, 1: backslashes = '', index } of text.matchAll(COMMA)) {
    value += text.slice(from, index) + backslashes.slice(0, backslashes.length >> 1);
    from = index + match.length;
    if (backslashes.length % 2 === 1) {
      value += ',';
      continue;
    }
    values.push(value);
    value = '';
  }
  return [...values, value + text.slice(from)];
}

/** Lookbehind, so that a long run of backslashes without a comma is not tried from each of its characters. */
const COMMA = /(?<!\\)(\\*),/g;
