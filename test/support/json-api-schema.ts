import { existsSync, readFileSync } from 'node:fs';

type Mode = 'seed' | 'strict';

/** A violation of a JSON Schema, with the JSON pointer of the value. */
export interface Breach {
  readonly place: string;
  readonly text: string;
}

/** Checks values by the schemas of an OpenAPI document. An object may have documented members alone. */
export interface DocumentJudge {
  /** @param schema of the document: its references lead there */
  readonly breachesOf: (schema: object, value: unknown) => readonly Breach[];
}

/** From `test/jest/runner/globals.mjs`: `schema-judges.mjs`. */
declare const judgeBySchema: (schema: string, value: unknown) => readonly Breach[];

const schemas = new Map<Mode, string | undefined>();

/**
 * Checks a document against the JSON Schema of JSON:API 1.1 responses: `seed` allows the deviations of this package (numeric ids and
 * status, `ormCode`), `strict` none.
 *
 * The schemas are no part of the repository. Without them nothing is checked, and the run says so (`test/jest/set-up.mjs`).
 *
 * @returns one sentence per breach
 */
export function checkAgainstSchema(document: unknown, mode: Mode): readonly string[] {
  if (!schemas.has(mode)) schemas.set(mode, readSchema(mode));
  const schema = schemas.get(mode);
  if (schema === undefined) return [];
  return judgeBySchema(schema, document).map(({ place, text }) => `${place || '/'}: ${text}`);
}

function readSchema(mode: Mode): string | undefined {
  const file = new URL(`../../../shared/spec/jsonapi-schema-1.1-${mode}.json`, import.meta.url);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
