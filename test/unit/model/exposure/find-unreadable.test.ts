import { describe, expect, it } from '@jest/globals';
import { buildResourceModel } from '../../../../lib/model/build-resource-model.js';
import type { ResourcesOption } from '../../../../lib/model/exposure/resources-option.js';
import type { ResourceSchema, SchemaField } from '../../../../lib/model/schema/resource-schema.js';
import { enumeration, ID, modelOf, scalar, schemaOf } from '../schema-builder.js';

function warningsFor(field: SchemaField, more: Partial<ResourceSchema> = {}, resources: ResourcesOption = {}): readonly string[] {
  const schema = { ...schemaOf({ Note: modelOf({ id: ID, field }) }, { Role: ['A'] }), ...more };
  return buildResourceModel(schema, { resources }).warnings;
}

const citexts = scalar('String', { list: true, nativeType: ['Citext', []] });
const time = scalar('DateTime', { optional: true, nativeType: ['Timetz', ['3']] });

describe('a field that Prisma reads wrongly', () => {
  it.each<[field: SchemaField, warning: string]>([
    [citexts, 'Prisma cannot read a list of @db.Citext: .* or give the column another type \\(text\\[\\]\\)\\.'],
    [{ ...time, list: true }, 'Prisma cannot read a list of @db.Timetz: .* or give the column another type\\.'],
    [time, 'Prisma leaves out the offset of a @db.Timetz: .*'],
  ])('causes a warning: %j', (field, warning) => {
    expect(warningsFor(field)).toEqual([expect.stringMatching(new RegExp(`^Note\\.field: ${warning}$`))]);
  });

  it.each<[SchemaField, Partial<ResourceSchema>, ResourcesOption]>([
    [scalar('String', { nativeType: ['Citext', []] }), {}, {}],
    [scalar('String', { list: true, nativeType: ['Text', []] }), {}, {}],
    [scalar('DateTime', { nativeType: ['Time', ['3']] }), {}, {}],
    [scalar('DateTime'), {}, {}],
    [enumeration('Role', { list: true }), {}, {}],
    [time, { provider: 'cockroachdb' }, {}],
    [time, {}, { Note: { fields: { field: 'hidden' } } }],
  ])('is not %j, %j, %j', (field, more, resources) => {
    expect(warningsFor(field, more, resources)).toEqual([]);
  });
});
