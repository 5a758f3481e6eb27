import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { existsSync, readFileSync } from 'node:fs';

type Mode = 'seed' | 'strict';

const validators = new Map<Mode, ValidateFunction | undefined>();

/**
 * Checks a document against the JSON Schema of JSON:API 1.1 responses: the `seed` one knows the specification's own deviations (numeric
 * ids and status, `ormCode`), the `strict` one is the letter of JSON:API.
 *
 * The schemas are no part of the repository. Without them nothing is checked, and the console says so once.
 *
 * @returns one sentence per breach
 */
export function checkAgainstSchema(document: unknown, mode: Mode): readonly string[] {
  if (!validators.has(mode)) validators.set(mode, compileSchema(mode));
  const validate = validators.get(mode);
  if (validate === undefined || validate(document)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || '/'}: ${message ?? ''} ${JSON.stringify(params)}`,
  );
}

function compileSchema(mode: Mode): ValidateFunction | undefined {
  const file = new URL(`../../../shared/spec/jsonapi-schema-1.1-${mode}.json`, import.meta.url);
  if (!existsSync(file)) {
    if (validators.size === 0) console.info(`JSON:API documents are not checked against a JSON Schema: there is no ${file.pathname}.`);
    return undefined;
  }
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  formats.default(ajv);
  return ajv.compile(JSON.parse(readFileSync(file, 'utf8')) as object);
}
