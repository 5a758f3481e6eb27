/** Text to insert at a place of a source file. */
export interface TextEdit {
  readonly at: number;
  readonly text: string;
}

/** Applies edits to a text; what they do not insert stays as it is. Edits at the same place keep their order. */
export function applyEdits(source: string, edits: readonly TextEdit[]): string {
  const ordered = edits.toSorted((a, b) => a.at - b.at);
  const starts = [0, ...ordered.map(({ at }) => at)];
  return starts.map((start, index) => (ordered[index - 1]?.text ?? '') + source.slice(start, ordered[index]?.at)).join('');
}

/** The line ending that a text uses. */
export function lineEndingOf(source: string): string {
  return source.includes('\r\n') ? '\r\n' : '\n';
}
