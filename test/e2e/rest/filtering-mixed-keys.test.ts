import type { ResourceSchema } from '../../../lib/model/schema/resource-schema.js';
import { resourceSchema } from '../../support/generated/keys/resource-schema.js';
import { describeKeys, ENGINES } from '../../support/keys-apps.js';

const { models }: ResourceSchema = resourceSchema;

/** All relations whose foreign key has required and optional columns. */
const RELATIONS = Object.entries(models).flatMap(([model, { fields, primaryKey }]) =>
  Object.entries(fields).flatMap(([relation, field]) => {
    if (field.kind !== 'relation' || !field.foreignKey) return [];
    const { type: target, foreignKey } = field;
    const optional = foreignKey.fields.filter((name) => fields[name]?.optional);
    const isMixed = optional.length > 0 && optional.length < foreignKey.fields.length;
    return isMixed ? [{ model, relation, target, foreignKey, key: primaryKey?.fields ?? [] }] : [];
  }),
);

type Accepts = (id: string | undefined, ids: readonly string[]) => boolean;
const isAmong: Accepts = (id, ids) => id !== undefined && ids.includes(id);
const isNotAmong: Accepts = (id, ids) => !isAmong(id, ids);

/** Filters of a relation: the operator, its ids (`a` and `b` exist, `none` does not), and which linked ids it accepts. */
const FILTERS: readonly (readonly [operator: string, ids: readonly string[], accepts: Accepts])[] = [
  ['', ['a'], isAmong],
  ['$in', ['a', 'b'], isAmong],
  ['$ne', ['a'], isNotAmong],
  ['$ne', ['b'], isNotAmong],
  ['$ne', ['none'], isNotAmong],
  ['$notIn', ['a'], isNotAmong],
  ['$notIn', ['a', 'b'], isNotAmong],
  ['$notIn', ['b', 'none'], isNotAmong],
  ['$null', ['true'], (id) => id === undefined],
  ['$null', ['false'], (id) => id !== undefined],
];

type Row = Readonly<Record<string, unknown>>;

function idOf(row: Row | undefined, fields: readonly string[]): string | undefined {
  return row && fields.every((field) => row[field] !== null) ? fields.map((field) => String(row[field])).join('_') : undefined;
}

describeKeys('filters of a foreign key with required and optional columns', {}, (suite) => {
  it('exist for several relations of the schema', () => {
    expect(RELATIONS.map(({ model, relation }) => `${model}.${relation}`)).toEqual([
      'Seat.guest',
      'Entry.ledger',
      'Entry.memo',
      'Job.unit',
    ]);
  });

  describe.each(ENGINES)('by %s', (engine) => {
    it.each(RELATIONS.map((one) => [`${one.model}.${one.relation}`, one] as const))('match the right rows: %s', async (_, one) => {
      const { model, relation, target, foreignKey, key } = one;
      const rowsOf = (name: string): Promise<readonly Row[]> => suite.database.prisma.$queryRawUnsafe(`SELECT * FROM "${name}"`);
      const [rows, [a, b]] = [await rowsOf(model), (await rowsOf(target)).map((row) => idOf(row, foreignKey.references))];
      for (const [operator, names, accepts] of FILTERS) {
        const ids = names.map((name) => ({ a, b, none: '9_999' })[name] ?? name);
        const accepted = rows.filter((row) => accepts(idOf(row, foreignKey.fields), ids)).map((row) => idOf(row, key));
        const path = `/${model.toLowerCase()}?filter[${relation}${operator}]=${ids.join(',')}`;
        const { status, document } = await suite.appOf(engine).rest.get(path);
        const found = [document.data ?? []].flat().map(({ id }) => String(id));
        expect([path, status, found.sort()]).toEqual([path, 200, accepted.sort()]);
      }
    });
  });
});
