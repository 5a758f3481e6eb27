import { describe, expect, it } from '@jest/globals';
import { type EntityTags, readTags } from '../../../../lib/http/preconditions.js';
import { buildStorage } from '../../../../lib/model/storage/build-storage.js';
import { storedModel } from '../../../../lib/model/storage/stored-model.js';
import { printCondition } from '../../../../lib/prisma/print-condition.js';
import { requiredVersion } from '../../../../lib/run/checks/required-version.js';
import { ID, modelOf, scalar, schemaOf } from '../../model/schema-builder.js';

const version = (type: 'Int' | 'BigInt') => modelOf({ id: ID, version: scalar(type) });
const storage = buildStorage(
  schemaOf({ Task: version('Int'), Big: version('BigInt'), Tag: version('Int') }),
  new Map([
    ['Task', 'version'],
    ['Big', 'version'],
  ]),
);

const NONE = { id: { in: [] } };
const tagsOf = (header: string | undefined): EntityTags | undefined => readTags('If-Match', header);

/** Returns the condition of `If-Match` and `If-None-Match`, as it is printed for Prisma. */
function conditionOf(ifMatch: string | undefined, ifNoneMatch?: string, { model = 'Task', acceptsWeak = false } = {}): unknown {
  const [match, noneMatch] = [tagsOf(ifMatch), tagsOf(ifNoneMatch)];
  const preconditions = { ...(match && { ifMatch: match }), ...(noneMatch && { ifNoneMatch: noneMatch }) };
  const stored = storedModel(storage, model);
  return printCondition(requiredVersion(preconditions, stored, acceptsWeak), stored);
}

describe('the version that a write requires', () => {
  it.each<[string, unknown]>([
    ['"3"', { version: { in: [3] } }],
    ['"3.digest"', { version: { in: [3] } }],
    ['"3.a.b"', { version: { in: [3] } }],
    ['"-3"', { version: { in: [-3] } }],
    ['"3", "5"', { version: { in: [3, 5] } }],
    ['"3", "x", W/"4"', { version: { in: [3] } }],
    ['"2147483647"', { version: { in: [2_147_483_647] } }],
    ['"2147483648"', NONE],
    ['"99999999999999999999"', NONE],
    ['"3x"', NONE],
    ['"x3"', NONE],
    ['"3_.digest"', NONE],
    ['"digest"', NONE],
    ['"."', NONE],
    ['W/"3"', NONE],
    ['*', {}],
  ])('is that of If-Match: %s', (header, condition) => {
    expect(conditionOf(header)).toEqual(condition);
  });

  it('is that of a weak tag, where weak tags are accepted', () => {
    expect(conditionOf('W/"3", "4"', undefined, { acceptsWeak: true })).toEqual({ version: { in: [3, 4] } });
  });

  it('is a bigint of 64 bits where the column is one', () => {
    expect(conditionOf('"9223372036854775807"', undefined, { model: 'Big' })).toEqual({ version: { in: [9_223_372_036_854_775_807n] } });
    expect(conditionOf('"9223372036854775808"', undefined, { model: 'Big' })).toEqual(NONE);
  });

  it('excludes the versions of If-None-Match, weak ones too', () => {
    expect(conditionOf(undefined, '"3", W/"4"')).toEqual({ NOT: { version: { in: [3, 4] } } });
    expect(conditionOf(undefined, '*')).toEqual(NONE);
    expect(conditionOf(undefined, '"digest"')).toEqual({});
    expect(conditionOf('"3"', '"4"')).toEqual({ version: { in: [3] }, NOT: { version: { in: [4] } } });
    expect(conditionOf(undefined)).toEqual({});
  });

  it('matches no row of a model without versions', () => {
    expect([conditionOf('"3"', undefined, { model: 'Tag' }), conditionOf('*', undefined, { model: 'Tag' })]).toEqual([NONE, {}]);
  });
});
