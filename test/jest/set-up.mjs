import { existsSync } from 'node:fs';

const SPECIFICATION = '../shared/spec';

/** Prints once that the specification is missing, and which checks are skipped therefore. */
export default function setUp() {
  if (existsSync(new URL(`../../${SPECIFICATION}`, import.meta.url))) return;
  process.stderr.write(
    `There is no ${SPECIFICATION}: answers are not checked against the JSON Schemas of JSON:API, nor its conformance page against the checklist.\n`,
  );
}
