/** One element of a comma-separated list, and its position in the text, counted from 1. */
interface ListItem {
  readonly text: string;
  readonly position: number;
}

/**
 * Splits the value of `sort`, `include` or `fields[…]`. An empty value has no elements.
 *
 * @param most the number of elements after which the rest is left out
 */
export function splitList(value: string, most?: number): readonly ListItem[] {
  if (value === '') return [];
  let position = 1;
  return value.split(',', most).map((text) => {
    const item = { text, position };
    position += text.length + 1;
    return item;
  });
}

/**
 * Splits the value of a filter at its commas (specification, section 4.1.1, rule 3). `\,` is a comma inside a value.
 *
 * A backslash at the end of a value is doubled before the separating comma: `a\\,b` is `a\` and `b`. All other backslashes are literal,
 * including those of an escaped compound id.
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

/** Without the lookbehind, a long run of backslashes without a comma would be matched again from each of its characters. */
const COMMA = /(?<!\\)(\\*),/g;
