import { describe, expect, it } from '@jest/globals';
import { buildResourceModel } from '../../../../lib/model/build-resource-model.js';
import type { ResourceOptions } from '../../../../lib/model/exposure/resources-option.js';
import type { DatabaseProvider, SchemaField } from '../../../../lib/model/schema/resource-schema.js';
import { belongsTo, enumeration, hasMany, ID, modelOf, scalar, schemaOf } from '../schema-builder.js';

const ONE = { kind: 'value', value: 1 } as const;

function build(field: SchemaField, options: ResourceOptions, provider: DatabaseProvider = 'postgresql', name = 'field'): void {
  const schema = schemaOf({ Note: modelOf({ id: ID, [name]: field }) }, { Role: ['A'] });
  buildResourceModel({ ...schema, provider }, { resources: { Note: options } });
}

describe('a version field', () => {
  it.each<[problem: string, field: SchemaField]>([
    ['it is no integer', scalar('String', { default: ONE })],
    ['it is no integer', scalar('DateTime')],
    ['it is no integer', enumeration('Role')],
    ['it is a list', scalar('Int', { list: true })],
    ['it may be null', scalar('Int', { optional: true })],
    ['it has no default to start at', scalar('Int')],
    ['it has no default to start at', scalar('Int', { default: { kind: 'function', name: 'autoincrement' } })],
  ])('is refused, because %s: %j', (problem, field) => {
    expect(() => {
      build(field, { version: 'field' });
    }).toThrow(`Note.field cannot be a version: ${problem}.`);
  });

  it.each(['Int', 'BigInt'] as const)('may be an %s with a default', (type) => {
    expect(() => {
      build(scalar(type, { default: ONE }), { version: 'field' });
    }).not.toThrow();
  });

  it('has no name that is a connective of filters', () => {
    expect(() => {
      build(scalar('Int', { default: ONE }), { version: 'AND' }, 'postgresql', 'AND');
    }).toThrow('Prisma takes its name for a connective in filters');
  });

  it('is one field', () => {
    const version = scalar('Int', { default: ONE, version: true });
    expect(() => buildResourceModel(schemaOf({ Note: modelOf({ id: ID, a: version, b: version }) }), { resources: { Note: {} } })).toThrow(
      'Note has several fields with @api.version: a, b.',
    );
  });
});

describe('the hash of a row as its version', () => {
  const concurrency = { concurrency: 'required' } as const;
  const cannot = "'field' cannot be compared with what was read";

  it.each<[field: SchemaField, provider: DatabaseProvider]>([
    [scalar('String'), 'postgresql'],
    [enumeration('Role'), 'postgresql'],
    [scalar('Decimal'), 'postgresql'],
    [scalar('DateTime'), 'postgresql'],
    [scalar('DateTime', { nativeType: ['Timestamp', ['3']] }), 'postgresql'],
    [scalar('DateTime', { nativeType: ['Timestamptz', ['0']] }), 'postgresql'],
    [scalar('DateTime', { nativeType: ['Date', []] }), 'postgresql'],
    [scalar('String'), 'cockroachdb'],
    [scalar('String'), 'sqlite'],
  ])('can be made of %j on %s', (field, provider) => {
    expect(() => {
      build(field, concurrency, provider);
    }).not.toThrow();
  });

  it.each<[field: SchemaField, problem: string, provider: DatabaseProvider]>([
    [scalar('String', { list: true }), cannot, 'postgresql'],
    [enumeration('Role', { list: true }), cannot, 'postgresql'],
    [scalar('Float'), cannot, 'postgresql'],
    [scalar('Json'), cannot, 'postgresql'],
    [scalar('Decimal'), cannot, 'sqlite'],
    [scalar('DateTime', { nativeType: ['Timestamp', ['6']] }), cannot, 'postgresql'],
    [scalar('DateTime', { nativeType: ['Timestamptz', []] }), cannot, 'postgresql'],
    [scalar('DateTime', { nativeType: ['Time', ['3']] }), cannot, 'postgresql'],
    [scalar('String', { nativeType: ['Citext', []] }), cannot, 'postgresql'],
    [scalar('String', { nativeType: ['Xml', []] }), cannot, 'postgresql'],
    [scalar('Decimal', { nativeType: ['Money', []] }), cannot, 'postgresql'],
    [scalar('String'), 'mysql may take values for the same that differ', 'mysql'],
    [scalar('String'), 'sqlserver may take values for the same that differ', 'sqlserver'],
  ])('cannot be made of %j, because %s (%s)', (field, problem, provider) => {
    expect(() => {
      build(field, concurrency, provider);
    }).toThrow(`resources.Note.concurrency is 'required', and Note has no version. A hash of the row cannot stand for it: ${problem}.`);
  });
});

describe('the version of a resource', () => {
  const schema = schemaOf({
    User: modelOf({ id: ID, notes: hasMany('Note', 'author'), edits: hasMany('Note', 'editor') }),
    Note: modelOf({
      id: ID,
      text: scalar('String'),
      secret: scalar('String'),
      count: scalar('Int', { default: ONE }),
      author: belongsTo('User', 'notes', { fields: ['authorId'] }),
      authorId: scalar('Int'),
      editor: belongsTo('User', 'edits', { fields: ['editorId'], optional: true }),
      editorId: scalar('Int', { optional: true }),
    }),
  });
  const fields = { secret: 'hidden', editor: 'writeOnly', editorId: 'writeOnly' } as const;
  const computed = { short: 'String' } as const;
  const hashed = [
    { name: 'id', type: 'Int' },
    { name: 'text', type: 'String' },
    { name: 'count', type: 'Int' },
    { name: 'authorId', type: 'Int' },
  ];

  it.each<[options: ResourceOptions, version: unknown]>([
    [{}, undefined],
    [{ version: 'count' }, { field: 'count', isRequired: false }],
    [
      { version: 'count', concurrency: 'offered' },
      { field: 'count', isRequired: false },
    ],
    [
      { version: 'count', concurrency: 'required' },
      { field: 'count', isRequired: true },
    ],
    [{ concurrency: 'offered' }, { hashed, isRequired: false }],
    [{ concurrency: 'required' }, { hashed, isRequired: true }],
  ])('with the options %j', (options, version) => {
    const { model } = buildResourceModel(schema, { resources: { Note: { ...options, fields, computed } } });
    expect(model.byModel.get('Note')?.version).toEqual(version);
  });
});
