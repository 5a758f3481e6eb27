import { describe, expect, it } from '@jest/globals';
import { buildStorage } from '../../../lib/model/storage/build-storage.js';
import { compileSoftDeletes } from '../../../lib/rules/soft-deletes.js';
import { ID, modelOf, scalar, schemaOf } from '../model/schema-builder.js';

describe('soft delete of a model that has members called as connectives are', () => {
  const compiled = (...names: readonly string[]): readonly string[] => {
    const members = Object.fromEntries(names.map((name) => [name, scalar('String')]));
    const schema = schemaOf({ Choice: modelOf({ id: ID, deletedAt: scalar('DateTime', { optional: true }), ...members }) });
    return [...compileSoftDeletes({ Choice: { softDelete: 'deletedAt' } }, buildStorage(schema)).keys()];
  };

  it.each([[[]], [['AND', 'OR']], [['NOT']]])(
    'is accepted with the fields %j, because one of the connectives AND and NOT is left',
    (names) => {
      expect(compiled(...names)).toEqual(['Choice']);
    },
  );

  it('is refused at boot with both AND and NOT, because no request could be answered', () => {
    expect(() => compiled('AND', 'NOT')).toThrow(
      /^resources\.Choice\.softDelete is for a model that has no members called both AND and NOT/,
    );
  });
});
