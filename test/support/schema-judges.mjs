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
  #schemas;

  constructor(document) {
    this.#schemas = document.components.schemas;
    // Formats of numbers that OpenAPI defines and JSON Schema does not.
    for (const format of ['int32', 'int64', 'double', 'decimal']) this.#ajv.addFormat(format, true);
    close(document, this.#schemas);
    this.#ajv.addSchema({ ...document, $id: 'api' }, 'api');
  }

  breachesOf(schema, value) {
    const key = JSON.stringify(schema);
    if (!this.#validators.has(key)) this.#validators.set(key, this.#ajv.compile(inDocument(schema, this.#schemas)));
    return breachesOf(this.#validators.get(key), value);
  }
}

function newAjv() {
  const ajv = new Ajv2020({ strict: false, validateFormats: true });
  formats.default(ajv);
  return ajv;
}

/** An object schema means its members and those of its `allOf`, and no others: a member that is not documented is a breach. */
function close(value, schemas) {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value.allOf)) {
    const whole = merged(value, schemas);
    delete value.allOf;
    Object.assign(value, whole);
  }
  for (const member of Object.values(value)) close(member, schemas);
  const isSchema = value.type === 'object' && typeof value.properties === 'object' && value.additionalProperties === undefined;
  if (isSchema) value.additionalProperties = false;
}

/** The object schema that has the members of all parts of an `allOf`. */
function merged({ $ref, allOf, ...own }, schemas) {
  if ($ref !== undefined) return merged(schemas[$ref.slice($ref.lastIndexOf('/') + 1)], schemas);
  if (allOf === undefined) return own;
  const parts = [...allOf.map((part) => merged(part, schemas)), own];
  const required = new Set(parts.flatMap((part) => part.required ?? []));
  return Object.assign({}, ...parts, {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: [...required],
  });
}

function inDocument(schema, schemas) {
  if (schema.$ref) return { $ref: `api${schema.$ref}` };
  const copy = JSON.parse(JSON.stringify(schema));
  close(copy, schemas);
  return JSON.parse(JSON.stringify(copy).replaceAll('"#/', '"api#/'));
}

function breachesOf(validate, value) {
  return validate(value)
    ? []
    : validate.errors.map(({ instancePath, message = '', params }) => ({
        place: instancePath,
        text: `${message} ${JSON.stringify(params)}`,
      }));
}
