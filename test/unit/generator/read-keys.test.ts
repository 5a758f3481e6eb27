import { describe, expect, it } from '@jest/globals';
import { EVERYTHING, readSchema, schemaText } from './describe-schema.js';

const { schema, document } = EVERYTHING;

describe('readKeys', () => {
  it.each([
    ['Scalars', { name: 'id', fields: ['id'] }],
    ['Keys', { name: 'tenant_number', fields: ['tenant', 'number'] }],
    ['NamedId', { name: 'address', fields: ['tenant', 'number'] }],
    ['SingleBlockId', { name: 'code', fields: ['code'] }],
    ['Report', undefined],
  ])('reads the primary key of %s', (model, primaryKey) => {
    expect(schema.models[model]?.primaryKey).toEqual(primaryKey);
  });

  it('reads unique keys: on fields and on the block, once each, by the name of the key, beside that of the constraint', () => {
    expect(schema.models['Keys']?.uniqueKeys).toStrictEqual([
      { name: 'id', fields: ['id'] },
      { name: 'code', fields: ['code'] },
      { name: 'number_tenant', fields: ['number', 'tenant'] },
      { name: 'codeAndSerial', fields: ['code', 'serial'] },
      { name: 'serial_alias', fields: ['serial', 'alias'], constraint: 'only_in_the_database' },
      { name: 'alias', fields: ['alias'] },
      { name: 'twice', fields: ['twice'], constraint: 'twice_again' },
    ]);
  });

  it('has each constraint of one field by name, and no index', () => {
    const { models } = readSchema(
      schemaText(`model Member {
        id     Int    @id(map: "members_pk")
        login  String @unique
        tenant Int

        @@unique([id], map: "members_id")
        @@unique([tenant, login], name: "badge", map: "members_badge")
        @@index([login], map: "members_by_login")
      }`),
    );
    expect(models['Member']?.primaryKey).toEqual({ name: 'id', fields: ['id'], constraint: 'members_pk' });
    expect(models['Member']?.uniqueKeys).toEqual([
      { name: 'login', fields: ['login'] },
      { name: 'id', fields: ['id'], constraint: 'members_id' },
      { name: 'badge', fields: ['tenant', 'login'], constraint: 'members_badge' },
    ]);
  });

  it("leaves out a key of one field with a name, which Prisma's arguments cannot use", () => {
    expect(schema.models['NamedSingleId']).not.toHaveProperty('primaryKey');
    expect(schema.models['NamedSingleId']?.uniqueKeys).toStrictEqual([{ name: 'code', fields: ['code'] }]);
  });

  it.each(document.datamodel.models.map(({ name }) => name))("names the keys of %s as Prisma's own where argument does", (model) => {
    const where = document.schema.inputObjectTypes.prisma?.find(({ name }) => name === `${model}WhereUniqueInput`);
    const usable = (where?.constraints.fields ?? []).filter((name) => where?.fields.some((field) => field.name === name));
    const { primaryKey, uniqueKeys = [] } = schema.models[model] ?? {};
    const names = [...(primaryKey ? [primaryKey] : []), ...uniqueKeys].map(({ name }) => name);

    // A partial index is no key: several rows may have the value. A key with an unsupported column cannot be given.
    expect(new Set(names)).toEqual(new Set(usable.filter((name) => !['partial', 'id_shape'].includes(name))));
    expect(new Set(names).size).toBe(names.length);
  });
});
