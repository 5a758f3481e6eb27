import { describe, expect, it } from '@jest/globals';
import { buildResourceModel } from '../../../../lib/model/build-resource-model.js';
import type { DatabaseProvider, SchemaField } from '../../../../lib/model/schema/resource-schema.js';
import { enumeration, ID, modelOf, scalar, schemaOf } from '../schema-builder.js';

/** A model without a version, of which tags are to have a hash. */
function startWith(field: SchemaField, provider: DatabaseProvider = 'postgresql'): () => unknown {
  const schema = { ...schemaOf({ Note: modelOf({ id: ID, field }) }, { Kind: ['A', 'B'] }), provider };
  return () => buildResourceModel(schema, { resources: { Note: { concurrency: 'offered' } } });
}

describe('CC-16: tags with a hash of the row', () => {
  it.each<[string, SchemaField]>([
    ['a String', scalar('String', { optional: true })],
    ['a BigInt', scalar('BigInt')],
    ['a Decimal', scalar('Decimal')],
    ['Bytes', scalar('Bytes')],
    ['a Boolean', scalar('Boolean')],
    ['an enum', enumeration('Kind')],
    ['a DateTime', scalar('DateTime')],
    ['a date', scalar('DateTime', { nativeType: ['Date', []] })],
    ['milliseconds', scalar('DateTime', { nativeType: ['Timestamptz', ['3']] })],
    ['a padded text', scalar('String', { nativeType: ['Char', ['5']] })],
  ])('are made of %s', (_, field) => {
    expect(startWith(field)).not.toThrow();
  });

  it.each<[string, SchemaField]>([
    ['a Float', scalar('Float')],
    ['Json', scalar('Json')],
    ['a list', scalar('String', { list: true })],
    ['a list of enums', enumeration('Kind', { list: true })],
    ['microseconds', scalar('DateTime', { nativeType: ['Timestamp', ['6']] })],
    ['a timestamp that says no digits', scalar('DateTime', { nativeType: ['Timestamptz', []] })],
    ['a time', scalar('DateTime', { nativeType: ['Time', ['3']] })],
    ['a text regardless of case', scalar('String', { nativeType: ['Citext', []] })],
    ['Xml', scalar('String', { nativeType: ['Xml', []] })],
    ['money', scalar('Decimal', { nativeType: ['Money', []] })],
  ])('are not made of %s', (_, field) => {
    expect(startWith(field)).toThrow("'field' cannot be compared with what was read");
  });

  it.each<[DatabaseProvider, SchemaField, string | undefined]>([
    ['sqlite', scalar('String'), undefined],
    ['cockroachdb', scalar('Decimal'), undefined],
    ['sqlite', scalar('Decimal'), "'field' cannot be compared with what was read"],
    ['mysql', scalar('Int'), 'mysql may take values for the same that differ'],
    ['sqlserver', scalar('Int'), 'sqlserver may take values for the same that differ'],
  ])('on %s, with %j: %s', (provider, field, problem) => {
    const starting = expect(startWith(field, provider));
    if (problem === undefined) starting.not.toThrow();
    else starting.toThrow(problem);
  });
});
