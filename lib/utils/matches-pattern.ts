const ZERO = 48;
const NINE = 57;

/**
 * Whether a text has the same length and characters as a pattern, in which `0` matches any digit.
 *
 * @example
 * matchesPattern('2026-01-31', '0000-00-00'); // true
 */
export function matchesPattern(text: string, form: string): boolean {
  if (text.length !== form.length) return false;
  for (let index = 0; index < form.length; index++) {
    const expected = form.charCodeAt(index);
    const code = text.charCodeAt(index);
    if (expected === ZERO ? code < ZERO || code > NINE : code !== expected) return false;
  }
  return true;
}
