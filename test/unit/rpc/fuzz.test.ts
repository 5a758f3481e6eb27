import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ApiError } from '../../../lib/errors/api-error.js';
import { startBudget } from '../../../lib/rpc/arguments/argument-path.js';
import { DEFAULT_LIMITS } from '../../../lib/model/limits.js';
import { findOperation, type KnownRpcOperation, RPC_OPERATIONS } from '../../../lib/rpc/protocol/rpc-operations.js';
import { planDataCall } from '../../../lib/rpc/plan-rpc-call.js';
import { sample } from '../../support/sample.js';
import { printCall } from '../../support/print-plan.js';
import { publisher } from './publisher.js';

/** Keys of every table, of every field, hidden ones too, and of prototypes. */
const KEYS = [
  ...new Set([
    ...publisher.resources.flatMap(({ fields, uniqueKeys }) => [...fields.keys(), ...uniqueKeys.keys()]),
    ...Object.values(RPC_OPERATIONS).flatMap((operation) => [...operation.arguments]),
    ...[
      'AND',
      'OR',
      'NOT',
      'some',
      'every',
      'none',
      'is',
      'isNot',
      'equals',
      'not',
      'in',
      'lt',
      'contains',
      'mode',
      'has',
      'path',
      '_all',
      '_relevance',
    ],
    ...[
      'connect',
      'connectOrCreate',
      'createMany',
      'set',
      'disconnect',
      'deleteMany',
      'increment',
      'push',
      'sort',
      'nulls',
      'fields',
      'search',
    ],
    ...[
      'passwordHash',
      'recoveryCode',
      'tokens',
      'secret',
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      '__prismaRawParameters__',
    ],
  ]),
];

const HIDDEN = ['passwordHash', 'recoveryCode', 'tokens', 'secret'];

const scalar = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    undefined,
    true,
    false,
    0,
    1,
    -1,
    1.5,
    1e12,
    NaN,
    Infinity,
    5n,
    '',
    'a',
    '1',
    'asc',
    'desc',
    'a\0',
    '\ud800',
  ),
  fc.constantFrom(...KEYS),
  fc.constant(new Date(0)),
  fc.constant(Uint8Array.of(1)),
);

const { argument } = fc.letrec((tie) => ({
  argument: fc.oneof({ depthSize: 'medium', withCrossShrink: true }, scalar, tie('object'), fc.array(tie('argument'), { maxLength: 3 })),
  object: fc.array(fc.tuple(fc.constantFrom(...KEYS), tie('argument')), { maxLength: 4 }).map(fromEntries),
}));

describe('any argument at all', () => {
  it('is planned or refused by an ApiError, and never reaches a hidden field', () => {
    const operations = Object.keys(RPC_OPERATIONS).flatMap((name) => findOperation(name) ?? []);
    const call = fc.record({
      resource: fc.constantFrom(...publisher.resources),
      operation: fc.constantFrom<KnownRpcOperation>(...operations),
      parts: fc.array(fc.tuple(fc.nat(), argument), { maxLength: 5 }),
    });
    let planned = 0;
    fc.assert(
      fc.property(call, ({ resource, operation, parts }) => {
        const keys: readonly string[] = operation.arguments;
        const args = fromEntries(parts.map(([index, value]) => [keys[index % keys.length] ?? '', value]));
        try {
          const call = planDataCall({ resource, operation, args }, startBudget(DEFAULT_LIMITS, publisher.storage));
          const { args: final } = printCall(call);
          planned++;
          expect(namesIn(final).filter((name) => HIDDEN.includes(name))).toEqual([]);
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
          expect((error as ApiError).status).toBeLessThan(500);
        }
      }),
      { numRuns: sample.choose(2_000, 20_000) },
    );
    // Enough arguments must be accepted, or the property would test refusals alone.
    expect(planned).toBeGreaterThan(sample.choose(50, 500));
  });
});

/** Own properties, `__proto__` included, as JSON.parse makes them. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries);
}

/** Places of any names: `omit` has to have the hidden fields, and the client chooses the keys of a Json value. */
const FREE = ['omit', 'metadata', 'summary'];

/** Keys and names of fields that the data client gets. */
function namesIn(value: unknown, key = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => namesIn(item, key));
  if (typeof value === 'string') return ['distinct', 'by', 'fields'].includes(key) ? [value] : [];
  if (typeof value !== 'object' || value === null || FREE.includes(key)) return [];
  if (ArrayBuffer.isView(value) || value instanceof Date) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...namesIn(member, name)]);
}
