import { describe, expect, it } from '@jest/globals';
import type { StoredField } from '../../../lib/model/storage/storage.js';
import { printExact } from '../../../lib/prisma/print-exact.js';

const field = (more: Partial<StoredField> = {}): StoredField => ({
  name: 'json',
  column: 'json',
  type: 'Json',
  list: false,
  optional: false,
  ignored: false,
  needsExactForm: true,
  ...more,
});

const protocolOf = (value: unknown): unknown => Reflect.apply(Reflect.get(Object(value), 'toJSON') as () => unknown, value, []);

describe('printExact', () => {
  it.each([[5], ['text'], [true], [null], [{ a: [0.1, null] }], [[0.30000000000000004, 'DbNull']], [999_999_999_999_999]])(
    'prints %j unchanged, because Prisma sends it exactly',
    (value) => {
      expect(printExact(value, field())).toBe(value);
    },
  );

  it.each([[0.30000000000000004], [1e21], ['DbNull'], [JSON.parse('{"a":[{"__proto__":1}]}')], [JSON.parse('[{"__proto__":[]}]')]])(
    'prints %j as an object with toJSON, which Prisma sends exactly',
    (value) => {
      const printed = printExact(value, field());
      expect(protocolOf(printed)).toEqual({ $type: 'Json', value: JSON.stringify(value) });
      if (typeof value === 'object') expect(Object.keys(printed as object)).toEqual([...Object.keys(value as object), 'toJSON']);
      else expect((printed as object).valueOf()).toBe(value);
    },
  );

  it.each<[unknown, (copy: Record<string, unknown>) => void, string]>([
    [JSON.parse('{"a":1,"b":{"__proto__":1}}'), (copy) => delete copy['a'], '{"b":{"__proto__":1}}'],
    [JSON.parse('{"a":1,"__proto__":1}'), (copy) => Object.assign(copy, { a: 2 }), '{"a":2,"__proto__":1}'],
    [JSON.parse('[1,{"__proto__":1}]'), (copy) => Object.assign(copy, { 0: 2 }), '[2,{"__proto__":1}]'],
    [JSON.parse('{"toJSON":1,"__proto__":1}'), (copy) => Object.assign(copy, { a: 2 }), '{"toJSON":1,"__proto__":1,"a":2}'],
  ])('prints %j with the changes of a query extension', (value, change, text) => {
    // Prisma copies arguments for query extensions like this, with `__proto__` as a member.
    const printed: object = Object(printExact(value, field()));
    const copy = Object.fromEntries(Object.entries(printed));
    change(copy);
    expect(protocolOf(copy)).toEqual({ $type: 'Json', value: text });
  });

  it('prints elements of a list one by one', () => {
    const [first, second] = printExact([{ a: 0.30000000000000004 }, { a: 1 }], field({ list: true })) as readonly unknown[];
    expect(protocolOf(first)).toEqual({ $type: 'Json', value: '{"a":0.30000000000000004}' });
    expect(second).toEqual({ a: 1 });
  });

  it('prints a value unchanged for the client of ZenStack', () => {
    const ofZenStack = Object.fromEntries(Object.entries(field()).filter(([name]) => name !== 'needsExactForm')) as unknown as StoredField;
    expect(printExact(0.30000000000000004, ofZenStack)).toBe(0.30000000000000004);
  });
});
