import { readFileSync } from 'node:fs';

/** A row of a table with the claims of a document, and the tests of each. */
export interface ClaimedRow {
  readonly id: string;
  readonly keptBy: string;
}

/** The rows of a document's tables, each with an id such as `AO-01`. */
export function claimedRows(document: string): readonly ClaimedRow[] {
  return readFileSync(document, 'utf8')
    .split('\n')
    .map((line) => /^\| ([A-Z]{2}-\d\d) \| .* \| (.+) \|$/.exec(line))
    .flatMap((match) => (match ? [{ id: match[1] ?? '', keptBy: match[2] ?? '' }] : []));
}

/** Expects that each test file of a row has its id in a title, or that the row has the reason why it does not apply. */
export function requireKept({ id, keptBy }: ClaimedRow): void {
  const files = [...keptBy.matchAll(/`(test\/[^`]+)`/g)].map((match) => match[1] ?? '');
  if (files.length === 0) expect(keptBy).toMatch(/^does not apply: .{10,}/);
  for (const file of files) expect(idsIn(file)).toContain(id);
}

/** The ids in the strings of a test file: its test names, and the tables that they are made of. */
function idsIn(file: string): readonly string[] {
  const strings = readFileSync(file, 'utf8').match(/(['"`])(?:(?!\1).)*\1/g) ?? [];
  return strings.flatMap((text) => text.match(/\b[A-Z]{2}-\d\d\b/g) ?? []);
}
