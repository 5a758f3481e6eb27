import { describe, expect, it } from '@jest/globals';
import { buildResourceModel } from '../../../../lib/model/build-resource-model.js';
import { describeSurface } from '../../../../lib/model/surface/describe-surface.js';
import type { ResourceModel } from '../../../../lib/model/resource-model.js';
import { cursorWarnings, requirePageable } from '../../../../lib/module/require-supported.js';
import { compileRestSettings } from '../../../../lib/options/compile-rest-settings.js';
import { DEFAULT_LIMITS } from '../../../../lib/model/limits.js';
import { ID, modelOf, scalar, schemaOf } from '../../model/schema-builder.js';
import type { DatabaseProvider } from '../../../../lib/model/schema/resource-schema.js';
import type { StoredField } from '../../../../lib/model/storage/storage.js';
import { planCollection } from '../../../../lib/rest/plan/plan-read.js';
import { whyUnpageable } from '../../../../lib/rest/plan/unpageable.js';
import type { Row } from '../../../../lib/query/result.js';
import { printPlan } from '../../../support/print-plan.js';
import { collectionQuery, readContext } from '../read-fixture.js';

type Context = ReturnType<typeof readContext>;

const context = readContext();

/** The read of the rows beyond the row that a page ends with. */
function argsBeyond(sort: string, row: Row, { side = 'after', of = context }: { side?: 'after' | 'before'; of?: Context } = {}): unknown {
  const first = planCollection(collectionQuery(of, 'Post', `sort=${sort}&page[size]=1`), of);
  const { cursors } = first.read({ rows: [row], total: 9 });
  const text = cursors?.on(row) ?? '';
  const { plan } = planCollection(collectionQuery(of, 'Post', `sort=${sort}&page[size]=1&page[${side}]=${text}`), of);
  const { rows, total } = printPlan(plan);
  const { where, orderBy, take } = rows.args;
  expect([take, total?.args]).toEqual([2, {}]);
  return { where, orderBy };
}

describe('the rows beyond a cursor', () => {
  it('CP-22, CP-30: are selected by a condition that can use the index of a key that is never null', () => {
    expect(argsBeyond('views', { id: 7, views: 3 })).toEqual({
      where: { views: { gte: 3 }, OR: [{ views: { gt: 3 } }, { views: 3, id: { gt: 7 } }] },
      orderBy: [{ views: 'asc' }, { id: 'asc' }],
    });
    expect(argsBeyond('-views', { id: 7, views: 3 }, { side: 'before' })).toEqual({
      where: { views: { gte: 3 }, OR: [{ views: { gt: 3 } }, { views: 3, id: { lt: 7 } }] },
      orderBy: [{ views: 'asc' }, { id: 'desc' }],
    });
    expect(argsBeyond('-id', { id: 7 })).toEqual({ where: { id: { lt: 7 } }, orderBy: [{ id: 'desc' }] });
  });

  it('CP-22: Booleans are ordered false, then true', () => {
    expect(argsBeyond('published', { id: 7, published: false })).toMatchObject({
      where: { OR: [{ published: true }, { published: false, id: { gt: 7 } }] },
    });
    expect(argsBeyond('published', { id: 7, published: true })).toMatchObject({ where: { published: true, id: { gt: 7 } } });
  });

  it('CP-21: a sort gets the primary key as its last key, unless that is its first one', () => {
    const orderOf = (sort: string): unknown => {
      const { plan } = planCollection(collectionQuery(context, 'User', `sort=${sort}&page[size]=1`), context);
      return printPlan(plan).rows.args['orderBy'];
    };
    expect(orderOf('-id')).toEqual([{ id: 'desc' }]);
    expect(orderOf('-email')).toEqual([{ email: 'desc' }, { id: 'asc' }]);
    expect(orderOf('name')).toEqual([{ name: { sort: 'asc', nulls: 'last' } }, { id: 'asc' }]);
  });

  it.each<readonly [DatabaseProvider, string, unknown, unknown, unknown]>([
    ['postgresql', 'content', { sort: 'asc', nulls: 'last' }, [{ content: { gt: 'x' } }, { content: null }], undefined],
    ['postgresql', '-content', { sort: 'desc', nulls: 'first' }, [{ content: { lt: 'x' } }], { content: { not: null } }],
    ['sqlite', 'content', { sort: 'asc', nulls: 'first' }, [{ content: { gt: 'x' } }], { content: { not: null } }],
    ['cockroachdb', 'content', { sort: 'asc', nulls: 'first' }, [{ content: { gt: 'x' } }], { content: { not: null } }],
    ['mysql', 'content', 'asc', [{ content: { gt: 'x' } }], { content: { not: null } }],
    ['mysql', '-content', 'desc', [{ content: { lt: 'x' } }, { content: null }], undefined],
  ])('CP-22, CP-23: on %s, nulls in sort=%s are where the database has them', (provider, sort, order, beyondText, beyondNull) => {
    const of = readContext({ provider });
    expect(argsBeyond(sort, { id: 7, content: 'x' }, { of })).toEqual({
      where: { OR: [...(beyondText as readonly unknown[]), { content: 'x', id: { gt: 7 } }] },
      orderBy: [{ content: order }, { id: 'asc' }],
    });
    const ties = { content: null, id: { gt: 7 } };
    expect(argsBeyond(sort, { id: 7, content: null }, { of })).toMatchObject({
      where: beyondNull === undefined ? ties : { OR: [beyondNull, ties] },
    });
  });

  it('CP-22: a path through an empty relation has a null, with any foreign key', () => {
    expect(argsBeyond('author.email', { id: 7, author: { email: 'a' } })).toMatchObject({
      where: {
        OR: [
          { author: { email: { gt: 'a' } } },
          { NOT: { author: { NOT: { email: { in: [] } } } } },
          { author: { email: 'a' }, id: { gt: 7 } },
        ],
      },
    });
  });
});

describe('fields by which no page can begin', () => {
  const field = (type: StoredField['type'], nativeType?: StoredField['nativeType'], list = false): StoredField => ({
    name: 'f',
    column: 'f',
    type,
    list,
    optional: false,
    ignored: false,
    ...(nativeType && { nativeType }),
  });

  it.each<readonly [DatabaseProvider, StoredField['type'], StoredField['nativeType'], boolean]>([
    ['postgresql', 'DateTime', undefined, true],
    ['postgresql', 'DateTime', ['Timestamptz', ['3']], true],
    ['postgresql', 'DateTime', ['Timestamptz', ['6']], false],
    ['postgresql', 'DateTime', ['Timestamp', []], false],
    ['postgresql', 'DateTime', ['Timestamp', ['0']], true],
    ['postgresql', 'DateTime', ['Date', []], true],
    ['postgresql', 'DateTime', ['Time', ['3']], false],
    ['cockroachdb', 'DateTime', ['Timestamptz', []], false],
    ['mysql', 'DateTime', undefined, true],
    ['mysql', 'DateTime', ['DateTime', []], true],
    ['mysql', 'DateTime', ['DateTime', ['6']], false],
    ['sqlserver', 'DateTime', undefined, false],
    ['sqlserver', 'DateTime', ['DateTime2', ['3']], true],
    ['sqlserver', 'DateTime', ['DateTime', []], false],
    ['sqlite', 'DateTime', undefined, true],
    ['postgresql', 'Float', undefined, true],
    ['postgresql', 'Float', ['Real', []], false],
    ['mysql', 'Float', ['Float', []], false],
    ['postgresql', 'Decimal', ['Decimal', ['30', '10']], true],
    ['postgresql', 'Decimal', ['Money', []], false],
    ['sqlite', 'Decimal', undefined, false],
    ['postgresql', 'String', ['Uuid', []], true],
    ['postgresql', 'String', ['Citext', []], false],
    ['postgresql', 'String', ['Inet', []], false],
    ['postgresql', 'Boolean', undefined, true],
    ['postgresql', 'BigInt', undefined, true],
    ['postgresql', 'Enum', undefined, false],
    ['postgresql', 'Json', undefined, false],
    ['postgresql', 'Bytes', undefined, false],
  ])('CP-24, CP-25: %s, %s %j: %s', (provider, type, nativeType, isPageable) => {
    expect(whyUnpageable(field(type, nativeType), provider) === undefined).toBe(isPageable);
    expect(whyUnpageable(field(type, nativeType, true), provider)).toBe('is a list');
  });
});

describe('pages of cursors by default', () => {
  it('CP-24: are a boot error where the key of the model cannot be compared, and need no keys of cursors', () => {
    const schema = schemaOf({ Good: modelOf({ id: ID }), Bad: modelOf({ id: scalar('Bytes') }) });
    const modelWith = (resources: object): ResourceModel => buildResourceModel(schema, { resources }).model;
    expect(() => {
      requirePageable({}, modelWith({ Good: { pagination: 'cursor' }, Bad: { pagination: 'offset' } }));
    }).not.toThrow();
    expect(() => {
      requirePageable({}, modelWith({ Bad: { pagination: 'cursor' } }));
    }).toThrow(/resources\.Bad\.pagination is 'cursor', and its key id has a type without order \(Bytes\)/);
    const { settings } = context;
    expect(cursorWarnings(settings, modelWith({ Good: { pagination: 'cursor' } }))).toEqual([expect.stringContaining('rest.cursorKeys')]);
    expect(cursorWarnings(settings, modelWith({ Good: {} }))).toEqual([]);
    expect(describeSurface(modelWith({ Good: { pagination: 'cursor' } })).map(({ pagination }) => pagination)).toEqual([
      'cursor',
      undefined,
    ]);
    expect(cursorWarnings({ ...settings, cursorKeys: ['k'] }, modelWith({ Good: { pagination: 'cursor' } }))).toEqual([]);
  });

  it.each<readonly [keys: unknown, problem: RegExp]>([
    [[], /Set it to a list of keys/],
    ['k'.repeat(32), /Set it to a list of keys/],
    [['k'.repeat(31)], /rest\.cursorKeys\[0\] has 31 bytes/],
    [['k'.repeat(32), ''], /rest\.cursorKeys\[1\] has 0 bytes/],
    [[undefined], /rest\.cursorKeys\[0\] is no text/],
  ])('CP-18: refuses the keys %j, and does not print them', (keys, problem) => {
    let message = '';
    try {
      // Plain JavaScript gives anything.
      compileRestSettings({ endpoint: 'http://localhost', cursorKeys: keys as readonly string[] }, DEFAULT_LIMITS);
    } catch (error) {
      message = String(error);
    }
    expect(message).toMatch(problem);
    expect(message).not.toContain('kkk');
  });
});
