import fc from 'fast-check';
import { isOfNames, merged, namesModel, type NamedField, oneKey, pick, valueField, valueOf } from './random-fields.js';

/** The required values of models that may be created, without which the database would reject most creates. */
const NEEDED: Readonly<Record<string, object>> = {
  Post: { title: 'x', authorId: 1 },
  Comment: { body: 'x', postId: 1 },
  Category: { slug: 'x', name: 'x' },
  Country: { code: 'AT', name: 'x' },
  Translation: { locale: 'x', key: 'x', text: 'x' },
  AuditEvent: { type: 'x', payload: {} },
  Account: { name: 'x' },
  Tool: { name: 'x' },
  Sensor: { name: 'x' },
  Measurement: { value: 1 },
  Experiment: { title: 'x' },
};

/** Returns a writable model. Those in which the two databases differ are drawn most often. */
export const writtenModel = fc.oneof(
  { arbitrary: pick(['User', 'Post', 'Comment', 'Category']), weight: 5 },
  pick(['Profile', 'ApiToken', 'Tag', 'Post', 'Comment', 'Category', 'Country', 'Translation', 'AuditEvent']),
);

/** Returns a writable model of the same domain. */
export const writtenNeighbourOf = (name: string): fc.Arbitrary<string> => (isOfNames(name) ? namesModel : writtenModel);

/** Values for some plain fields, hidden ones as often as others; seldom for the id. */
export function someValues(name: string, value: (field: NamedField) => fc.Arbitrary<unknown> = valueOf): fc.Arbitrary<object> {
  const isSeldom = fc.integer({ min: 0, max: 9 }).map((die) => die > 0);
  const one = fc.tuple(valueField(name), isSeldom).chain(([field, skipped]) => {
    return field.name === 'id' && skipped ? fc.constant({}) : oneKey(field.name, value(field));
  });
  return merged(fc.array(one, { maxLength: 2 }));
}

/** The plain fields of a new record: most of the time all that it needs. */
export function newValues(name: string): fc.Arbitrary<object> {
  const needed = fc.oneof({ arbitrary: fc.constant(NEEDED[name] ?? {}), weight: 5 }, fc.constant({}));
  return merged(fc.tuple(needed, fc.oneof(someValues(name), fc.constant({}))));
}
