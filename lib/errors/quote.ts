/** Maximum length of a client's text in an error. */
const MAX_LENGTH = 60;

/** Truncates a client's text for an error, so that a longer name does not enlarge the response. */
export function cut(text: string, length = MAX_LENGTH): string {
  // Do not split a surrogate pair.
  return text.length > length ? `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

/** Applies {@link cut} and adds quotes. */
export function quote(text: string): string {
  return `'${cut(text)}'`;
}
