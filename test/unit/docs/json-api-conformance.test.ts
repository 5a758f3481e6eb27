import { existsSync, readFileSync } from 'node:fs';
import { claimedRows, requireKept } from '../../support/claimed-rows.js';

/**
 * `docs/json-api-conformance.md` claims nothing without a test. Each row names tests with its id in their titles, or the reason why it does not
 * apply; and with the checklist at hand, no row is missing.
 */
const DOCUMENT = 'docs/json-api-conformance.md';
const CHECKLIST = '../shared/spec/json-api-1.1.md';
const ID = /\b(?:CN|DS|MN|ID|LK|FE|IN|SF|SO|PG|FI|WR|CR|UP|RE|DE|QP|ER)-\d\d\b/g;

const rows = claimedRows(DOCUMENT);

describe(DOCUMENT, () => {
  it.each(rows)('has a test for $id, or a reason', requireKept);

  it('names each row once', () => {
    expect(rows.map(({ id }) => id)).toEqual([...new Set(rows.map(({ id }) => id))]);
    expect(rows.length).toBeGreaterThan(100);
  });

  const withChecklist = existsSync(CHECKLIST) ? it : it.skip;

  withChecklist('leaves out no row of the checklist', () => {
    const text = readFileSync(CHECKLIST, 'utf8');
    const sections = text.slice(text.indexOf('## 1.1 '), text.indexOf('## 1.12 '));
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(sections.match(ID)));
  });
});
