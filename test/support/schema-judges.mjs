import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** As many documents as the files of a worker have in turn; the usual one is among them. */
const MOST = 8;

/** What judges by the OpenAPI documents of this worker's test files, by the text of the document; the last used comes last. */
const judges = new Map();

/** Validators of whole JSON Schemas, by their text. */
const validators = new Map();

/**
 * What judges by the schemas of an OpenAPI document. Most test files have the same document: it is read, and each schema compiled, once a worker.
 *
 * @param {string} document
 * @returns {import('./json-api-schema.js').DocumentJudge}
 */
export function judgeOfDocument(document) {
  const judge = judges.get(document) ?? new DocumentJudge(JSON.parse(document));
  judges.delete(document);
  judges.set(document, judge);
  if (judges.size > MOST) judges.delete(judges.keys().next().value);
  return judge;
}

/**
 * @param {string} schema a JSON Schema
 * @param {unknown} value
 * @returns {readonly import('./json-api-schema.js').Breach[]}
 */
export function judgeBySchema(schema, value) {
  if (!validators.has(schema)) validators.set(schema, newAjv().compile(JSON.parse(schema)));
  return breachesOf(validators.get(schema), value);
}

class DocumentJudge {
  #ajv = newAjv();
  #validators = new Map();

  constructor(document) {
    // Formats of numbers that OpenAPI knows and JSON Schema does not.
    for (const format of ['int32', 'int64', 'double', 'decimal']) this.#ajv.addFormat(format, true);
    close(document);
    this.#ajv.addSchema({ ...document, $id: 'api' }, 'api');
  }

  breachesOf(schema, value) {
    const key = JSON.stringify(schema);
    if (!this.#validators.has(key)) this.#validators.set(key, this.#ajv.compile(inDocument(schema)));
    return breachesOf(this.#validators.get(key), value);
  }
}

function newAjv() {
  const ajv = new Ajv2020({ strict: false, validateFormats: true });
  formats.default(ajv);
  return ajv;
}

/** An object schema means its members and no others: a member that is not documented is a breach. */
function close(value) {
  if (typeof value !== 'object' || value === null) return;
  for (const member of Object.values(value)) close(member);
  const isSchema = value.type === 'object' && typeof value.properties === 'object' && value.additionalProperties === undefined;
  if (isSchema) value.additionalProperties = false;
}

function inDocument(schema) {
  if (schema.$ref) return { $ref: `api${schema.$ref}` };
  const copy = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/'));
  close(copy);
  return copy;
}

function breachesOf(validate, value) {
  return validate(value)
    ? []
    : validate.errors.map(({ instancePath, message = '', params }) => ({
        place: instancePath,
        text: `${message} ${JSON.stringify(params)}`,
      }));
}
