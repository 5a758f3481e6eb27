import { existsSync, readFileSync } from 'node:fs';
import { claimedRows, requireKept } from '../../support/claimed-rows.js';

/**
 * `docs/json-api-extensions.md` claims nothing without a test, as `docs/json-api-conformance.md` does; and with the checklist at hand, no row of a
 * section that it has is missing.
 */
const DOCUMENT = 'docs/json-api-extensions.md';
const CHECKLIST = '../shared/spec/json-api-extensions.md';

const rows = claimedRows(DOCUMENT);

describe(DOCUMENT, () => {
  it.each(rows)('has a test for $id, or a reason', requireKept);

  it('names each row once', () => {
    expect(rows.map(({ id }) => id)).toEqual([...new Set(rows.map(({ id }) => id))]);
  });

  const withChecklist = existsSync(CHECKLIST) ? it : it.skip;

  withChecklist('leaves out no row of its sections', () => {
    const sections = new Set(rows.map(({ id }) => id.slice(0, 2)));
    const lines = readFileSync(CHECKLIST, 'utf8').split('\n');
    const ids = lines.flatMap((line) => /^(?:- |\| )([A-Z]{2}-\d\d) /.exec(line)?.[1] ?? []).filter((id) => sections.has(id.slice(0, 2)));
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(ids));
  });
});
