import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { findOperation, RPC_OPERATIONS } from '../../../../lib/rpc/protocol/rpc-operations.js';

describe('RPC_OPERATIONS', () => {
  // Specification, section 4.2, word for word.
  it.each([
    ['findMany', { verbs: ['GET'], input: 'q', status: 200 }],
    ['findUnique', { verbs: ['GET'], input: 'q', status: 200 }],
    ['findFirst', { verbs: ['GET'], input: 'q', status: 200 }],
    ['count', { verbs: ['GET'], input: 'q', status: 200 }],
    ['aggregate', { verbs: ['GET'], input: 'q', status: 200 }],
    ['groupBy', { verbs: ['GET'], input: 'q', status: 200 }],
    ['create', { verbs: ['POST'], input: 'body', status: 201 }],
    ['createMany', { verbs: ['POST'], input: 'body', status: 201 }],
    ['update', { verbs: ['PATCH', 'PUT'], input: 'body', status: 200 }],
    ['updateMany', { verbs: ['PATCH', 'PUT'], input: 'body', status: 200 }],
    ['upsert', { verbs: ['POST'], input: 'body', status: 200 }],
    ['delete', { verbs: ['DELETE'], input: 'q', status: 200 }],
    ['deleteMany', { verbs: ['DELETE'], input: 'q', status: 200 }],
    // Decisions, "RPC details".
    ['findUniqueOrThrow', { verbs: ['GET'], input: 'q', status: 200 }],
    ['findFirstOrThrow', { verbs: ['GET'], input: 'q', status: 200 }],
    ['createManyAndReturn', { verbs: ['POST'], input: 'body', status: 201 }],
    ['updateManyAndReturn', { verbs: ['PATCH', 'PUT'], input: 'body', status: 200 }],
  ])('%s has the method, input and status %j', (name, row) => {
    expect(findOperation(name)).toMatchObject({ name, ...row });
  });

  it('holds each operation under its own name, and requires only arguments that it takes', () => {
    for (const [name, operation] of Object.entries(RPC_OPERATIONS)) {
      expect(operation.name).toBe(name);
      expect(operation.arguments).toEqual(expect.arrayContaining([...operation.required]));
    }
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'FINDMANY', '', 'queryRaw', '$executeRaw'])(
    'has no operation %s',
    (name) => {
      expect(findOperation(name)).toBeUndefined();
    },
  );

  it('imports nothing, so that a browser can load it', () => {
    expect(readFileSync(new URL('../../../../lib/rpc/protocol/rpc-operations.ts', import.meta.url), 'utf8')).not.toMatch(
      /^\s*import\b|\brequire\(/m,
    );
  });
});
