import type { Attribute, Resource, UniqueKey } from '../model/surface/surface.js';

/** Returns a JSON example of a field. It depends on the type of the field and, for texts, on its name. */
export function exampleOf(attribute: Attribute): unknown {
  const value = elementExample(attribute);
  return attribute.list ? [value] : value;
}

function elementExample(attribute: Attribute): unknown {
  const [enumValue] = attribute.enumValues ?? [];
  return attribute.type === 'Enum' ? enumValue : EXAMPLES[attribute.type](attribute);
}

/** Returns an example id for a path: the value of the only key field, or the values of several as one text. */
export function exampleId({ fields }: UniqueKey, divider: string): unknown {
  const [first, ...others] = fields;
  if (first && others.length === 0) return elementExample(first);
  return fields.map((field) => String(elementExample(field))).join(divider);
}

/** Returns the first string field that supports text filters; undefined if there is none. */
export function textAttribute({ attributes }: Resource): Attribute | undefined {
  return attributes.find(({ type, list, rights, lacks }) => type === 'String' && !list && rights.filter === true && !lacks?.has('text'));
}

const EXAMPLES: Readonly<Record<Exclude<Attribute['type'], 'Enum'>, (attribute: Attribute) => unknown>> = {
  String: stringExample,
  Boolean: () => true,
  Int: () => 1,
  BigInt: () => '9007199254740993',
  Float: () => 1.5,
  Decimal: () => '9.99',
  DateTime: ({ nativeType }) => (nativeType?.[0] === 'Date' ? '2026-01-31' : '2026-01-31T10:00:00.000Z'),
  Json: () => ({ key: 'value' }),
  Bytes: () => 'aGVsbG8=',
};

function stringExample({ name, nativeType }: Attribute): string {
  if (nativeType?.[0] === 'Uuid' || nativeType?.[0] === 'UniqueIdentifier') return '123e4567-e89b-42d3-a456-426614174000';
  const known = NAMED.find(([pattern]) => pattern.test(name));
  const example = known ? known[1] : 'text';
  const length = Number(nativeType?.[1][0] ?? Infinity);
  return length < example.length ? example.slice(0, length) : example;
}

/** Examples for common names of fields. */
const NAMED: readonly (readonly [RegExp, string])[] = [
  [/e-?mail/i, 'ann@example.com'],
  [/(url|website|link|href)$/i, 'https://example.com'],
  [/slug/i, 'hello-world'],
  [/title|subject|headline/i, 'Hello, world'],
  [/(first)?name$/i, 'Ann'],
  [/phone/i, '+1 555 0100'],
  [/currency/i, 'EUR'],
  [/locale|language/i, 'en'],
  [/color|colour/i, '#336699'],
];
