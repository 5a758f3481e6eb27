/** Longer texts of a client are cut where an error repeats them. */
const MAX_LENGTH = 60;

/** A client's text as an error repeats it: an answer is never larger for a longer name. */
export function cut(text: string, length = MAX_LENGTH): string {
  // Never between the halves of a character.
  return text.length > length ? `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

/** {@link cut}, in quotes. */
export function quote(text: string): string {
  return `'${cut(text)}'`;
}
