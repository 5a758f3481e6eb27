/**
 * Converts a document of OpenAPI 3.0 to 3.1, where schemas are JSON Schema: `nullable` and boolean `exclusiveMinimum` and
 * `exclusiveMaximum` mean nothing there.
 */
export function toOpenApi31<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(toOpenApi31) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, toOpenApi31(member as unknown)]);
  return upgradeSchema(Object.fromEntries(entries) as Schema) as Value;
}

type Schema = Readonly<Record<string, unknown>>;

function upgradeSchema(schema: Schema): Schema {
  const { nullable, ...plain } = schema;
  const upgraded = typeof nullable === 'boolean' ? withNull(plain, nullable) : schema;
  return BOUNDS.reduce(withExclusive, upgraded);
}

function withNull(schema: Schema, isNullable: boolean): Schema {
  if (!isNullable) return schema;
  const { type, ...others } = schema;
  if (type === undefined) return { anyOf: [schema, { type: 'null' }] };
  const values: unknown = others['enum'];
  return { ...others, type: [type, 'null'].flat(), ...(Array.isArray(values) && { enum: [...new Set([...(values as unknown[]), null])] }) };
}

const BOUNDS = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

function withExclusive(schema: Schema, [exclusive, bound]: (typeof BOUNDS)[number]): Schema {
  if (typeof schema[exclusive] !== 'boolean') return schema;
  const { [exclusive]: isExclusive, [bound]: limit, ...others } = schema;
  return { ...others, [isExclusive === true ? exclusive : bound]: limit };
}
