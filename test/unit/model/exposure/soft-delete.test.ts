import { describe, expect, it } from '@jest/globals';
import { buildResourceModel } from '../../../../lib/model/build-resource-model.js';
import type { ResourceOptions, ResourcesOption } from '../../../../lib/model/exposure/resources-option.js';
import type { SchemaField } from '../../../../lib/model/schema/resource-schema.js';
import { belongsTo, hasMany, ID, modelOf, scalar, schemaOf } from '../schema-builder.js';

const TIME = scalar('DateTime', { optional: true });

function build(resources: ResourcesOption, deletedAt: SchemaField = TIME, ofComment: SchemaField = TIME): void {
  const schema = schemaOf({
    Note: modelOf({ id: ID, text: scalar('String'), deletedAt, comments: hasMany('Comment', 'note') }),
    Comment: modelOf({ id: ID, deletedAt: ofComment, note: belongsTo('Note', 'comments', { fields: ['noteId'] }), noteId: scalar('Int') }),
  });
  buildResourceModel(schema, { resources });
}

const building =
  (note: object, comment: ResourceOptions = {}, ...fields: readonly SchemaField[]) =>
  (): void => {
    build({ Note: note, Comment: comment }, ...fields);
  };

describe('the option softDelete', () => {
  it.each<[problem: string, field: SchemaField]>([
    ['it is no DateTime', scalar('Int', { optional: true })],
    ['it is a list', scalar('DateTime', { list: true })],
    ['it may not be null, as it is of what is not deleted', scalar('DateTime')],
    ['@db.Date keeps no moment', { ...TIME, nativeType: ['Date', []] }],
    ['@db.Time keeps no moment', { ...TIME, nativeType: ['Time', ['6']] }],
    ['@db.Timetz keeps no moment', { ...TIME, nativeType: ['Timetz', ['6']] }],
    ['it has a default, so that new records would be deleted ones', { ...TIME, default: { kind: 'function', name: 'now' } }],
    ['it has a default, so that new records would be deleted ones', { ...TIME, updatedAt: true }],
  ])('refuses a field of which %s', (problem, field) => {
    expect(building({ softDelete: 'deletedAt' }, {}, field)).toThrow(`Note.deletedAt cannot say when a record was deleted: ${problem}.`);
  });

  it.each<[options: object, comment: ResourceOptions]>([
    [{ softDelete: 'deletedAt' }, {}],
    [{ softDelete: { field: 'deletedAt' } }, {}],
    [{ softDelete: { field: 'deletedAt', cascade: ['comments'] } }, { softDelete: 'deletedAt' }],
    [{ softDelete: 'deletedAt', fields: { deletedAt: { filter: false } } }, {}],
    [{ softDelete: 'deletedAt', fields: { deletedAt: { create: false, update: false } } }, {}],
  ])('accepts %j of a model, and %j of another', (options, comment) => {
    expect(building(options, comment)).not.toThrow();
  });

  it.each<[options: object, problem: string]>([
    [{ softDelete: 7 }, "resources.Note.softDelete is '7'. Set it to the name of a field, or { field, cascade, show }."],
    [{ softDelete: { field: 7 } }, "resources.Note.softDelete.field is '7'. Set it to a string."],
    [
      { softDelete: 'deletedAtt' },
      "resources.Note.softDelete names 'deletedAtt', which is no field of the model. Did you mean 'deletedAt'?",
    ],
    [
      { softDelete: { field: 'deletedAt', cascde: [] } },
      "resources.Note.softDelete names 'cascde', which is no part of it. Did you mean 'cascade'?",
    ],
    [{ softDelete: 'zzz' }, 'Its fields are'],
    [{ softDelete: { field: 'deletedAt', zzz: [] } }, 'The parts are'],
    [{ softDelete: {} }, 'resources.Note.softDelete.field'],
    [{ softDelete: { field: 'deletedAt', cascade: ['text'] } }, 'resources.Note.softDelete.cascade'],
    [{ softDelete: { field: 'deletedAt', show: 7 } }, 'resources.Note.softDelete.show'],
    [{ softDelete: { field: 'deletedAt', cascade: ['comments'] } }, "names 'comments', and Comment has no softDelete."],
    [
      { softDelete: 'deletedAt', fields: { deletedAt: { update: true } } },
      "resources.Note.fields.deletedAt says 'update', and deleting records sets the field (softDelete).",
    ],
    [
      { softDelete: 'deletedAt', fields: { deletedAt: { create: true } } },
      "resources.Note.fields.deletedAt says 'create', and deleting records sets the field (softDelete).",
    ],
  ])('refuses %j', (options, problem) => {
    expect(building(options)).toThrow(problem);
  });

  it('cascades between fields of one type', () => {
    const precise = { ...TIME, nativeType: ['Timestamp', ['6']] } as const;
    const options = { softDelete: { field: 'deletedAt', cascade: ['comments'] } };
    const comment = { softDelete: 'deletedAt' };
    expect(building(options, comment, precise, precise)).not.toThrow();
    for (const fields of [
      [precise, TIME],
      [TIME, precise],
    ]) {
      expect(building(options, comment, ...fields)).toThrow('leads to a field of another @db type, which may keep other times.');
    }
  });
});
