import { describe, expect, it } from '@jest/globals';
import { reviveArgument } from '../../../lib/rpc/parse-argument.js';

/** Counts how often the members of an argument are listed. */
function counted(argument: Readonly<Record<string, unknown>>) {
  const counts = { lists: 0 };
  const ownKeys = (target: object): (string | symbol)[] => {
    counts.lists += 1;
    return Reflect.ownKeys(target);
  };
  return { counts, argument: new Proxy<Readonly<Record<string, unknown>>>(argument, { ownKeys }) };
}

describe('an argument', () => {
  it.each<Record<string, unknown>>([{ id: 1 }, { id: 1, meta: 1 }, { id: 1, meta: { other: {} } }])(
    'without serialization metadata is not copied: %j',
    (given) => {
      const { counts, argument } = counted(given);
      expect(reviveArgument(argument)).toBe(argument);
      expect(counts.lists).toBe(0);
    },
  );

  it('with serialization metadata loses them', () => {
    const serialization = { values: { 'where.at': ['Date'] } };
    const revived = reviveArgument({ where: { at: '2026-01-02T00:00:00.000Z' }, meta: { serialization } });
    expect(revived).toEqual({ where: { at: new Date('2026-01-02T00:00:00.000Z') } });
  });
});
