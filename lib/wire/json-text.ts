/** What JSON escapes inside a string: quotes, backslashes, control characters, and surrogates that stand alone (in pairs they are not, which is for `JSON.stringify` to tell). */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** The JSON text of a string, as `JSON.stringify` gives it: most strings only need their quotes. */
export function jsonString(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}
