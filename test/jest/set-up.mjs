import { existsSync } from 'node:fs';

const SPECIFICATION = '../shared/spec';

/** Says once what this machine lacks, and what is not checked therefore. */
export default function setUp() {
  if (existsSync(new URL(`../../${SPECIFICATION}`, import.meta.url))) return;
  process.stderr.write(
    `There is no ${SPECIFICATION}: answers are not checked against the JSON Schemas of JSON:API, nor its conformance page against the checklist.\n`,
  );
}
