import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { buildResourceModel } from '../../../../lib/model/build-resource-model.js';
import type { ResourceSchema, SchemaField } from '../../../../lib/model/schema/resource-schema.js';
import type { ResourceOptions, ResourcesOption } from '../../../../lib/model/exposure/resources-option.js';
import { belongsTo, hasMany, ID, keyOf, modelOf, scalar, schemaOf } from '../schema-builder.js';

function warningsFor(schema: ResourceSchema, resources: ResourcesOption = {}): readonly string[] {
  return buildResourceModel(schema, { resources }).warnings;
}

const withSecret = (field: SchemaField): ResourceSchema => schemaOf({ User: modelOf({ id: ID, secret: field }) });

const warning = (names: string): string =>
  `Creating a 'User' fails unless your data client fills in required fields that have no default and may not be sent (${names}). ` +
  "Open them in resources.User.fields, or leave 'create' out of resources.User.actions.";

describe('a model that may be created', () => {
  it.each<[fields: NonNullable<ResourceOptions['fields']>, names: string]>([
    [{ secret: 'readOnly' }, "'secret'"],
    [{ secret: { create: false } }, "'secret'"],
    [{ secret: 'hidden' }, '1 hidden'],
    [{ secret: { read: false, create: false, update: false } }, '1 hidden'],
  ])('causes a warning where a required field cannot be set, which does not name a hidden one: %j', (fields, names) => {
    expect(warningsFor(withSecret(scalar('String')), { User: { fields } })).toEqual([warning(names)]);
  });

  it('causes one warning', () => {
    const schema = schemaOf({ User: modelOf({ id: ID, a: scalar('Int'), b: scalar('Int'), c: scalar('Int'), d: scalar('Int') }) });
    const fields = { a: 'hidden', b: 'readOnly', c: 'hidden', d: 'readOnly' } as const;
    expect(warningsFor(schema, { User: { fields } })).toEqual([warning("'b', 'd', 2 hidden")]);
  });

  it('causes a warning where a comment in the schema closes the field', () => {
    expect(warningsFor(withSecret(scalar('String', { api: 'readOnly' })))).toEqual([warning("'secret'")]);
  });

  it.each<SchemaField>([
    scalar('String', { optional: true }),
    scalar('String', { list: true }),
    scalar('String', { default: { kind: 'value', value: 'x' } }),
    scalar('DateTime', { updatedAt: true }),
  ])('needs no value for a hidden %j', (field) => {
    expect(warningsFor(withSecret(field), { User: { fields: { secret: 'hidden' } } })).toEqual([]);
  });

  it.each<ResourceOptions>([{ fields: { secret: 'writeOnly' } }, { fields: { secret: 'immutable' } }, {}])(
    'may have the field set: %j',
    (options) => {
      expect(warningsFor(withSecret(scalar('String')), { User: options })).toEqual([]);
    },
  );

  it('may have it set by the validator, where the API exposes the field', () => {
    const validate = { create: z.object({}) };
    const schema = withSecret(scalar('String'));
    expect(warningsFor(schema, { User: { validate, fields: { secret: 'readOnly' } } })).toEqual([]);
    expect(warningsFor(schema, { User: { validate, fields: { secret: 'hidden' } } })).toEqual([warning('1 hidden')]);
  });

  it('causes no warning without the action create, or where it is hidden', () => {
    const schema = withSecret(scalar('String', { api: 'hidden' }));
    expect(warningsFor(schema, { User: { actions: ['read', 'update', 'delete'] } })).toEqual([]);
    expect(warningsFor(schema, { '*': 'hidden' })).toEqual([]);
  });
});

describe('a required foreign key', () => {
  const schema = schemaOf({
    Tenant: modelOf({ id: ID, members: hasMany('Member', 'tenant'), tasks: hasMany('Task', 'tenant') }),
    Member: modelOf(
      {
        tenantId: scalar('Int'),
        number: scalar('Int'),
        tenant: belongsTo('Tenant', 'members', { fields: ['tenantId'] }),
        tasks: hasMany('Task', 'member'),
      },
      { primaryKey: keyOf('tenantId', 'number') },
    ),
    Task: modelOf({
      id: ID,
      tenantId: scalar('Int'),
      number: scalar('Int'),
      tenant: belongsTo('Tenant', 'tasks', { fields: ['tenantId'] }),
      member: belongsTo('Member', 'tasks', { fields: ['tenantId', 'number'], references: ['tenantId', 'number'] }),
    }),
  });

  it('may be hidden where a relation sets it', () => {
    expect(warningsFor(schema, { Task: { fields: { tenantId: 'hidden', tenant: 'hidden' } } })).toEqual([]);
  });

  it('causes a warning where no exposed relation sets it', () => {
    expect(warningsFor(schema, { Task: { fields: { member: 'readOnly' } } })).toEqual([expect.stringMatching(/\('number'\)/)]);
  });
});
