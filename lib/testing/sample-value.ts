import type { ResourceSchema } from '../model/schema/resource-schema.js';
import type { Attribute, Resource, UniqueKey } from '../model/surface/surface.js';
import { uniqueWhere } from '../model/values/resource-id.js';

/** Returns a JSON value of the field's type that is unlikely to be stored. */
export function sampleValue(attribute: Pick<Attribute, 'type' | 'enumValues' | 'nativeType'>): unknown {
  if (attribute.type === 'Enum') return [...(attribute.enumValues ?? [])][0];
  if (attribute.type === 'String' && attribute.nativeType?.[0] === 'Uuid') return '00000000-0000-4000-8000-00000000dead';
  return SAMPLES[attribute.type];
}

/** Returns {@link sampleValue} as text for a query string. */
export function sampleText(attribute: Pick<Attribute, 'type' | 'enumValues' | 'nativeType'>): string {
  const value = sampleValue(attribute);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns {@link sampleValue} of a field of the Prisma schema, which may be hidden. */
export function schemaSample({ models, enums }: ResourceSchema, model: string, name: string): unknown {
  const field = models[model]?.fields[name];
  if (field?.kind === 'enum') return enums[field.type]?.values[0];
  return field?.kind === 'scalar' ? sampleValue(field) : undefined;
}

const SAMPLES: Readonly<Record<Exclude<Attribute['type'], 'Enum'>, unknown>> = {
  String: 'assert-no-leak',
  Boolean: true,
  Int: -2_147_483_648,
  BigInt: '-9223372036854775808',
  Float: -1.5,
  Decimal: '-1.5',
  DateTime: '1000-01-01T00:00:00.000Z',
  Json: {},
  Bytes: 'AA==',
};

/** Returns a `where` that matches no row; undefined if the model has no suitable unique key. */
export function whereNothing(resource: Resource | undefined): Record<string, unknown> | undefined {
  const key = absentKey(resource);
  return key && uniqueWhere(key, absentValues(key));
}

/** Returns a unique key of a resource with a field that can have a value of no row. */
export function absentKey(resource: Resource | undefined): UniqueKey | undefined {
  const keys = [...(resource?.uniqueKeys.values() ?? [])];
  return keys.find(({ fields }) => fields.some(({ type }) => type !== 'Boolean' && type !== 'Enum'));
}

/** Returns values of a key that no row has. */
export function absentValues({ fields }: Pick<UniqueKey, 'fields'>): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field.name, sampleValue(field)]));
}
