import fc from 'fast-check';
import type { ResourceSchema, ScalarTypeName, SchemaField } from '../../../../lib/index.js';
import { resourceSchema as namesSchema } from '../../../support/generated/names/resource-schema.js';
import { resourceSchema } from '../../../support/generated/resource-schema.js';

/**
 * Random requests, drawn from the Prisma schema and not from the surface, so that hidden names occur as often as others, at every place of a name. Most are
 * well-formed, so that they pass the first check.
 */

const { models: ofPublisher, enums: enumsOfPublisher }: ResourceSchema = resourceSchema;
const { models: ofNames }: ResourceSchema = namesSchema;

/** The models of both domains of the tests; none is in both. */
export const models: ResourceSchema['models'] = { ...ofPublisher, ...ofNames };
export const enums = enumsOfPublisher;
const MODELS = Object.keys(ofPublisher);
export const delegateOf = (model: string): string => model.charAt(0).toLowerCase() + model.slice(1);
/** The model of a delegate. */
export const modelOf = (delegate: string): string => delegate.charAt(0).toUpperCase() + delegate.slice(1);

/** The models in which the two databases of the tests differ, and those that reference them. */
export const model = fc.oneof(
  { arbitrary: fc.constantFrom('User', 'Post', 'Comment', 'Profile', 'Category'), weight: 6 },
  fc.constantFrom(...MODELS),
);

/** The models with the names of arguments as relations and fields. Those with most such names are drawn most often. */
export const namesModel = fc.oneof(
  { arbitrary: fc.constantFrom('Tool', 'Sensor', 'Account', 'Measurement'), weight: 6 },
  fc.constantFrom(...Object.keys(ofNames)),
);

/** Returns a model of the same domain, which documents and links of this one may name. */
export function neighbourOf(name: string): fc.Arbitrary<string> {
  return isOfNames(name) ? namesModel : model;
}

export function isOfNames(name: string): boolean {
  return Object.hasOwn(ofNames, name);
}

export interface NamedField {
  readonly model: string;
  readonly name: string;
  readonly field: SchemaField;
}

export function fieldsOf(name: string, kind: 'value' | 'relation'): readonly NamedField[] {
  const fields = Object.entries(models[name]?.fields ?? {});
  return fields
    .filter(([, field]) => (field.kind === 'relation') === (kind === 'relation'))
    .map(([field, one]) => ({ model: name, name: field, field: one }));
}

export const pick = <T>(items: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...items);
/** Returns one of the fields that a suite hides, as often as one of all fields. */
export function valueField(name: string): fc.Arbitrary<NamedField> {
  const all = fieldsOf(name, 'value');
  const marked = all.filter(({ name: field, field: { api } }) => api !== undefined || field === 'reviewerId');
  return marked.length > 0 ? fc.oneof(pick(all), pick(marked)) : pick(all);
}
export const relationField = (name: string): fc.Arbitrary<NamedField> => pick(fieldsOf(name, 'relation'));
export const hasRelations = (name: string): boolean => fieldsOf(name, 'relation').length > 0;

/** Texts that match hidden values of only one of the two databases, and others. */
const TEXTS = [
  '$2b',
  '$2b$10$hash-of-user-1',
  'ADA-RECOVERY',
  'RECOVERY',
  'secret-token-of-ada',
  '1815',
  'zz',
  'M',
  'Ada',
  'ada@example.com',
  '%',
  '',
];

/** Texts of the rows of {@link namesModel}: names, referenced codes, and values of the rules of the suites. */
const TEXTS_OF_NAMES = [
  'account 2',
  'account 3',
  'ADMIN',
  'USER',
  'B',
  'D',
  'one',
  'two',
  'gone',
  's1',
  'e1',
  'a',
  'of nobody',
  'forbidden',
  '',
];

/** A value that may be of the field's type, in JSON. */
export function valueOf({ model: of, field }: NamedField): fc.Arbitrary<unknown> {
  if (field.kind === 'enum') return fc.constantFrom(...(enums[field.type]?.values ?? []));
  const type = field.kind === 'scalar' ? field.type : 'String';
  return type === 'String' && isOfNames(of) ? textsOfNames : VALUES[type];
}

const textsOf = (texts: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof({ arbitrary: fc.constantFrom(...texts), weight: 9 }, fc.string({ maxLength: 4 }));

const textsOfNames = textsOf(TEXTS_OF_NAMES);
const integers = fc.integer({ min: -1, max: 12 });
const decimals = fc.constantFrom(0, 1.5, '2.5');

const VALUES: Readonly<Record<ScalarTypeName, fc.Arbitrary<unknown>>> = {
  Int: integers,
  BigInt: integers,
  Float: decimals,
  Decimal: decimals,
  Boolean: fc.boolean(),
  DateTime: fc.constantFrom('2026-01-03T12:00:00.000Z', '1970-01-01T00:00:00.000Z'),
  Json: fc.constantFrom<unknown>({}, [], 'import', 1, ['\ud800'], { a: { '\ud800': 1 } }),
  Bytes: fc.constantFrom('AA==', ''),
  String: textsOf(TEXTS),
};

export const oneKey = (key: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<object> => value.map((one) => ({ [key]: one }));

/** One object of all members. */
export function merged(parts: fc.Arbitrary<readonly object[]>): fc.Arbitrary<object> {
  return parts.map((all) => Object.assign({}, ...all) as object);
}
