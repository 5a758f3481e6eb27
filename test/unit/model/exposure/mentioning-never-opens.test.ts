import { describe, expect, it } from '@jest/globals';
import { buildResourceModel } from '../../../../lib/model/build-resource-model.js';
import type { FieldOption, ResourceOptions, ResourcesOption } from '../../../../lib/model/exposure/resources-option.js';
import type { FieldPreset, ResourceSchema } from '../../../../lib/model/schema/resource-schema.js';
import { mayFilter, RIGHT_NAMES } from '../../../../lib/model/surface/rights.js';
import type { Rights } from '../../../../lib/model/surface/surface.js';
import { sample } from '../../../support/sample.js';
import { belongsTo, hasMany, ID, keyOf, modelOf, scalar, schemaOf } from '../schema-builder.js';

/** Notes have a key of one field, one of two fields, and one that is shared with the relation to the tenant. */
function schemaWith(comments: Readonly<Record<string, FieldPreset | undefined>>): ResourceSchema {
  const api = (name: string): { readonly api?: FieldPreset } => {
    const preset = comments[name];
    return preset ? { api: preset } : {};
  };
  return schemaOf({
    Tenant: modelOf({ id: ID, notes: hasMany('Note', 'tenant') }),
    User: modelOf(
      {
        tenantId: scalar('Int'),
        id: scalar('Int'),
        handle: scalar('String'),
        notes: hasMany('Note', 'user', api('notes')),
        reviews: hasMany('Note', 'reviewer'),
      },
      { primaryKey: keyOf('id'), uniqueKeys: [keyOf('handle'), keyOf('tenantId', 'id')] },
    ),
    Note: modelOf({
      id: ID,
      tenantId: scalar('Int', api('tenantId')),
      tenant: belongsTo('Tenant', 'notes', { fields: ['tenantId'], ...api('tenant') }),
      userId: scalar('Int', api('userId')),
      user: belongsTo('User', 'notes', { fields: ['userId'], ...api('user') }),
      reviewerId: scalar('Int', api('reviewerId')),
      reviewer: belongsTo('User', 'reviews', {
        fields: ['tenantId', 'reviewerId'],
        references: ['tenantId', 'id'],
        ...api('reviewer'),
      }),
    }),
  });
}

const FIELDS = ['tenantId', 'tenant', 'userId', 'user', 'reviewerId', 'reviewer'] as const;
const PRESETS: readonly (FieldPreset | undefined)[] = [undefined, 'hidden', 'readOnly', 'writeOnly', 'immutable'];

/** The options of the related models. */
const SURROUNDINGS: readonly ResourcesOption[] = [
  {},
  { User: { externalId: 'handle', fields: { id: 'hidden' } } },
  { User: { externalId: 'handle', fields: { id: { read: false }, tenantId: 'hidden' } } },
  { User: 'hidden' },
  { Tenant: 'hidden' },
  { User: { actions: ['create', 'update'] } },
  { '*': 'hidden', 'User': {} },
];

/** Options that open nothing: every way to rename a field and to close rights of it. */
const MENTIONS: readonly FieldOption[] = [
  {},
  { name: 'other' },
  'hidden',
  ...RIGHT_NAMES.flatMap((right): FieldOption[] => [{ [right]: false }, { [right]: false, name: 'other' }]),
  { read: false, filter: false, sort: false },
  { create: false, update: false },
];

/** Of a relation, operators are those of the fields at its other end. */
function mentionsOf(field: string): readonly FieldOption[] {
  return field.endsWith('Id') ? [...MENTIONS, { filter: [] }] : MENTIONS;
}

/** Returns the rights of every field of every model: `Note.userId read`, `Note.userId filter equals`. */
function openIn(schema: ResourceSchema, resources: ResourcesOption): ReadonlySet<string> {
  const open = new Set<string>();
  for (const { model, fields } of buildResourceModel(schema, { resources }).model.resources) {
    for (const { name, rights } of fields.values()) for (const right of lettersOf(rights)) open.add(`${model}.${name} ${right}`);
  }
  return open;
}

function lettersOf(rights: Rights): readonly string[] {
  const operators = ['equals', 'startsWith'].filter((operator) => mayFilter(rights, operator)).map((operator) => `filter ${operator}`);
  return [...RIGHT_NAMES.filter((right) => right !== 'filter' && rights[right]), ...operators];
}

/** Returns the field whose option is given beside that of a field. */
function nextTo(field: (typeof FIELDS)[number]): (typeof FIELDS)[number] {
  return FIELDS[(FIELDS.indexOf(field) + 1) % FIELDS.length] ?? field;
}

function withFields(resources: ResourcesOption, fields: Readonly<Record<string, FieldOption>>): ResourcesOption {
  return { ...resources, Note: { fields } satisfies ResourceOptions };
}

const CASES = sample.oneIn(
  11,
  SURROUNDINGS.flatMap((around) => FIELDS.flatMap((field) => PRESETS.map((preset) => ({ around, field, preset })))),
);

describe('an option of a field', () => {
  it.each(CASES)('that only mentions $field under the comment $preset, with $around around, opens nothing anywhere', (setting) => {
    const { around, field, preset } = setting;
    const schema = schemaWith({ [field]: preset });
    // In the long suites beside each other field, else alone and beside the next one.
    for (const other of sample.choose([field, nextTo(field)], FIELDS)) {
      const others: Record<string, FieldOption> = other === field ? {} : { [other]: { sort: false } };
      const before = openIn(schema, withFields(around, others));
      for (const mention of mentionsOf(field)) {
        const fields = { ...others, [field]: mention };
        expect([mention, [...openIn(schema, withFields(around, fields))].filter((right) => !before.has(right))]).toEqual([mention, []]);
      }
    }
  });

  it.each(CASES)(
    'that opens rights of $field under the comment $preset, with $around around, opens no other',
    ({ around, field, preset }) => {
      const schema = schemaWith({ [field]: preset });
      const before = openIn(schema, withFields(around, {}));
      for (const right of RIGHT_NAMES) {
        let after: ReadonlySet<string>;
        try {
          after = openIn(schema, withFields(around, { [field]: { [right]: true } }));
        } catch (error) {
          // A relation to a hidden model cannot be opened at all.
          expect(String(error)).toContain('which is hidden');
          continue;
        }
        // The rights on the key allow linking from the other side. Each write then requires its own right.
        const opened = [...after]
          .filter((one) => one.startsWith('Note.') && !before.has(one))
          .map((one) => one.slice(one.indexOf(' ') + 1));
        // Filter and sort follow the right to read, unless something else closes them.
        const allowed = right === 'read' ? ['read', 'filter', 'sort'] : [right];
        expect([right, opened.filter((one) => !allowed.some((name) => one.startsWith(name)))]).toEqual([right, []]);
      }
    },
  );

  it.each(CASES)(
    'of $field under the comment $preset, with $around around, gives every closed right a reason',
    ({ around, field, preset }) => {
      for (const mention of MENTIONS) {
        const { model } = buildResourceModel(schemaWith({ [field]: preset }), { resources: withFields(around, { [field]: mention }) });
        for (const resource of model.resources) {
          for (const { name, rights, closed } of resource.fields.values()) {
            const shut = RIGHT_NAMES.filter((right) => rights[right] === false);
            expect([`${resource.model}.${name}`, Object.keys(closed).sort()]).toEqual([`${resource.model}.${name}`, [...shut].sort()]);
          }
        }
      }
    },
  );
});

describe('a key that may be filtered by some operators and not be read', () => {
  const open = (fields: Readonly<Record<string, FieldOption>>): readonly string[] =>
    [...openIn(schemaWith({}), withFields({}, fields))].filter((right) => /^Note\.user(Id)? filter/.test(right));

  it('does not allow its relation to be filtered by other operators, through the id of the target', () => {
    expect(open({ userId: { read: false, filter: ['equals'] } })).toEqual(['Note.userId filter equals']);
  });

  it('does not restrict a relation that an option exposes', () => {
    const both = open({ userId: { read: false, filter: ['equals'] }, user: { filter: true } });
    expect(both).toEqual(['Note.userId filter equals', 'Note.user filter equals', 'Note.user filter startsWith']);
  });
});
