import { existsSync, readFileSync } from 'node:fs';

/**
 * `docs/json-api-conformance.md` claims nothing without a test: every row links to tests whose names say its id, or says why it does not
 * apply; and with the checklist at hand, no row is missing.
 */
const DOCUMENT = 'docs/json-api-conformance.md';
const CHECKLIST = '../shared/spec/json-api-1.1.md';
const ID = /\b(?:CN|DS|MN|ID|LK|FE|IN|SF|SO|PG|FI|WR|CR|UP|RE|DE|QP|ER)-\d\d\b/g;

const rows = readFileSync(DOCUMENT, 'utf8')
  .split('\n')
  .map((line) => /^\| ([A-Z]{2}-\d\d) \| .* \| (.+) \|$/.exec(line))
  .flatMap((match) => (match ? [{ id: match[1] ?? '', keptBy: match[2] ?? '' }] : []));

describe(DOCUMENT, () => {
  it.each(rows)('has a test for $id, or a reason', ({ id, keptBy }) => {
    const files = [...keptBy.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map((match) => match[1] ?? '');
    if (files.length === 0) expect(keptBy).toMatch(/^does not apply: .{10,}/);
    for (const file of files) expect(namesIn(file)).toContain(id);
  });

  it('names each row once', () => {
    expect(rows.map(({ id }) => id)).toEqual([...new Set(rows.map(({ id }) => id))]);
    expect(rows.length).toBeGreaterThan(100);
  });

  it('leaves out no row of the checklist', () => {
    if (!existsSync(CHECKLIST)) {
      console.warn(`${CHECKLIST} is not here: whether all rows are in ${DOCUMENT} is not checked.`);
      return;
    }
    const text = readFileSync(CHECKLIST, 'utf8');
    const sections = text.slice(text.indexOf('## 1.1 '), text.indexOf('## 1.12 '));
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(sections.match(ID)));
  });
});

/** The ids in the strings of a test file: its test names, and the tables that they are made of. */
function namesIn(file: string): readonly string[] {
  const strings = readFileSync(file, 'utf8').match(/(['"`])(?:(?!\1).)*\1/g) ?? [];
  return strings.flatMap((text) => text.match(ID) ?? []);
}
