import type { Sent } from '../decode-value.js';

/** Prints a JSON list of any length. Longer lists are lists of lists, because a function takes at most 100 arguments. */
export function jsonList(values: readonly string[]): string {
  if (values.length <= MOST_ARGUMENTS) return `json_build_array(${values.join(', ')})`;
  const [tag = '', ...others] = values;
  const parts = Array.from({ length: Math.ceil(others.length / MOST_ARGUMENTS) }, (_, index) =>
    jsonList(others.slice(index * MOST_ARGUMENTS, (index + 1) * MOST_ARGUMENTS)),
  );
  return `json_build_array(${[tag, ...parts].join(', ')})`;
}

/** The maximum number of values of a row that is sent as a flat list. */
export const MOST_ARGUMENTS = 100;

export const SENT: Readonly<Record<Sent, (column: string) => string>> = {
  plain: (column) => column,
  text: (column) => `${column}::text`,
  texts: (column) => `${column}::text[]`,
  base64: (column) => `encode(${column}, 'base64')`,
  base64s: (column) => `(SELECT json_agg(encode("bytes", 'base64')) FROM unnest(${column}) AS "bytes")`,
};
