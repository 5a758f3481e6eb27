/**
 * Joins the parts of a compound id. Inside a part, a backslash escapes backslashes and every character of the divider. If only the whole divider were
 * escaped, `a_` and `b` joined by `__` would be parsed as `a` and `_b`.
 */
export function joinIdParts(parts: readonly string[], divider: string): string {
  return parts.map((part) => escapePart(part, divider)).join(divider);
}

/** Splits a compound id into its parts: the exact inverse of {@link joinIdParts}. Returns undefined for a text with an invalid escape. */
export function splitIdParts(text: string, divider: string): string[] | undefined {
  const parts: string[] = [];
  let part = '';
  for (let index = 0; index < text.length;) {
    if (text.startsWith(divider, index)) {
      parts.push(part);
      part = '';
      index += divider.length;
      continue;
    }
    const isEscape = text[index] === '\\';
    const character = text[isEscape ? index + 1 : index];
    if (character === undefined || (isEscape && !isEscapable(character, divider))) return undefined;
    part += character;
    index += isEscape ? 2 : 1;
  }
  return [...parts, part];
}

function escapePart(part: string, divider: string): string {
  let escaped = '';
  for (const character of part.split('')) escaped += isEscapable(character, divider) ? `\\${character}` : character;
  return escaped;
}

function isEscapable(character: string, divider: string): boolean {
  return character === '\\' || divider.includes(character);
}
