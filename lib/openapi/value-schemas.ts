import type { Attribute } from '../model/surface/surface.js';
import { textFormat } from '../model/values/text-format.js';
import type { BytesForm } from '../wire/encode-scalar.js';
import type { RecordShape } from '../validation/record-check.js';
import { type Components, SHARED } from './components.js';
import { arrayOf, described, type JsonSchema, nullable } from './json-schema.js';

/** Whether a value is in a response (`answer`) or in a request (`input`). In requests, some types have several forms. */
type Direction = 'answer' | 'input';

/** Builds schemas of attribute values. Enums with the same name share a schema. */
export class ValueSchemas {
  constructor(
    private readonly components: Components,
    private readonly owner: object,
    private readonly bytes: BytesForm = 'base64',
  ) {}

  /** Returns the schema of a field: an element, a list of elements, or null for an optional field. */
  field(attribute: Attribute, direction: Direction): JsonSchema {
    const element = this.element(attribute, direction);
    const value = attribute.list ? arrayOf(element) : attribute.optional ? nullable(element) : element;
    return direction === 'answer' && isSetByServer(attribute) ? { ...value, readOnly: true } : value;
  }

  /** Returns the schema of an aggregate function's result. Limits of the native type do not apply to it. */
  result(attribute: Attribute, type: Attribute['type']): JsonSchema {
    return nullable(this.element(resultAttribute(attribute, type), 'answer'));
  }

  /** Returns the schema of one value, also for a list field. */
  element(attribute: Attribute, direction: Direction): JsonSchema {
    if (attribute.type === 'Bytes' && direction === 'answer' && this.bytes === 'typed-array') return arrayOf({ type: 'integer' });
    if (attribute.type !== 'Enum') return this.#scalar(SCALARS[attribute.type](attribute, direction), attribute, direction);
    const schema: JsonSchema = { type: 'string', enum: [...(attribute.enumValues ?? [])] };
    return attribute.enumName === undefined ? schema : this.components.schema(attribute.enumName, this.owner, () => schema);
  }

  /**
   * Returns a shared schema for numbers with several forms: those that JSON may round are strings in responses, and strings or numbers in
   * requests. A Float in a response may be one that JSON lacks.
   */
  #scalar(schema: JsonSchema, { type }: Attribute, direction: Direction): JsonSchema {
    const isShared = type === 'BigInt' || type === 'Decimal' || (type === 'Float' && direction === 'answer');
    return isShared ? this.components.schema(direction === 'input' ? `${type}Input` : type, SHARED, () => schema) : schema;
  }
}

function isSetByServer({ closed }: Attribute): boolean {
  return closed.create === 'server-value' || closed.update === 'server-value';
}

/** Returns an attribute that describes the result of an aggregate function. */
export function resultAttribute(attribute: Attribute, type: Attribute['type']): Attribute {
  const { kind, model, name, member, primaryKey, hasDefault, generated, foreignKeyOf } = attribute;
  const rights = { ...attribute.rights, filter: true };
  const values = type === attribute.type && attribute.enumValues ? { enumValues: attribute.enumValues } : {};
  return {
    kind,
    model,
    name,
    member,
    primaryKey,
    hasDefault,
    generated,
    foreignKeyOf,
    closed: {},
    rights,
    type,
    list: false,
    optional: false,
    ...values,
  };
}

type ScalarSchema = (attribute: Attribute, direction: Direction) => JsonSchema;

// Has examples, because tools otherwise generate a text from the pattern.
const BIG_INT_TEXT: JsonSchema = { type: 'string', format: 'int64', pattern: '^-?\\d+$', examples: ['9007199254740993'] };
const DECIMAL = '-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?';
const DECIMAL_TEXT: JsonSchema = { type: 'string', format: 'decimal', pattern: `^${DECIMAL}$`, examples: ['9.99'] };
// A stored value may be NaN (`numeric` of PostgreSQL) or infinite (since version 14). Requests cannot contain these values.
const STORED_DECIMAL_TEXT: JsonSchema = { ...DECIMAL_TEXT, pattern: `^(${DECIMAL}|NaN|-?Infinity)$` };

const FLOAT: JsonSchema = { type: 'number', format: 'double' };
const NOT_FINITE: JsonSchema = {
  type: 'string',
  enum: ['NaN', 'Infinity', '-Infinity'],
  description: 'What PostgreSQL may store and JSON lacks.',
};

/** Range of integers that `JSON.parse` does not round. */
const SAFE: JsonSchema = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
/** An id in a request without `rest.strict`. */
export const WRITTEN_ID: JsonSchema = { type: ['integer', 'string'], ...SAFE };
const EXACT_NUMBER: JsonSchema = { type: 'number', ...SAFE, description: 'At most 15 significant digits. Send more as a string.' };

const SCALARS: Readonly<Record<Exclude<Attribute['type'], 'Enum'>, ScalarSchema>> = {
  String: (attribute) => ({ type: 'string', ...textKeywords(attribute) }),
  Boolean: () => ({ type: 'boolean' }),
  Int: () => ({ type: 'integer', format: 'int32' }),
  BigInt: (_, direction) => (direction === 'answer' ? BIG_INT_TEXT : { anyOf: [{ type: 'integer', ...SAFE }, BIG_INT_TEXT] }),
  Float: (_, direction) => (direction === 'answer' ? { anyOf: [FLOAT, NOT_FINITE] } : FLOAT),
  Decimal: (_, direction) => (direction === 'answer' ? STORED_DECIMAL_TEXT : { anyOf: [EXACT_NUMBER, DECIMAL_TEXT] }),
  DateTime: (attribute, direction) => ({
    type: 'string',
    format: (direction === 'input' ? textFormat(attribute) : undefined) ?? 'date-time',
  }),
  Json: () => ({ description: 'Any JSON value.' }),
  Bytes: () => ({ type: 'string', contentEncoding: 'base64' }),
};

/** Returns the keywords for texts of a native type. */
function textKeywords(attribute: Attribute): JsonSchema {
  const [name = '', [length = ''] = []] = attribute.nativeType ?? [];
  const format = textFormat(attribute);
  if (format !== undefined) return { format };
  return LIMITED.has(name) && /^\d+$/.test(length) ? { maxLength: Number(length) } : {};
}

const LIMITED: ReadonlySet<string> = new Set(['VarChar', 'Char', 'NVarChar', 'NChar']);

/** Returns the schema of a field in a request: that of its type, narrowed by the application's validator. */
export function writtenField(attribute: Attribute, values: ValueSchemas, { fields }: RecordShape): JsonSchema {
  return { ...described(values.field(attribute, 'input'), attribute), ...fields.get(attribute.name) };
}

/** Whether a create requires the attribute. A foreign key is not required, because its relation can set it. */
export function isRequired({ name, hasDefault, rights, foreignKeyOf }: Attribute, { required }: RecordShape): boolean {
  return rights.create && foreignKeyOf.length === 0 && (!hasDefault || required.has(name));
}
