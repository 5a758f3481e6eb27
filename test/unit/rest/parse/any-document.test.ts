import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../../../lib/errors/api-error.js';
import { parseLinkageDocument } from '../../../../lib/rest/parse/parse-linkage.js';
import { parseRelationshipTarget } from '../../../../lib/rest/parse/parse-target.js';
import type { WriteIntent } from '../../../../lib/rest/parse/write-intent.js';
import { planWrite } from '../../../../lib/rest/plan/plan-write.js';
import { writeContext } from '../write-fixture.js';
import { create, update } from './parse-document-helpers.js';

/** Names that a document can have, so that random documents reach all of the readers. */
const NAMES = [
  ...[
    'slug',
    'title',
    'views',
    'price',
    'publishedAt',
    'cover',
    'keywords',
    'metadata',
    'layout',
    'year',
    'authorId',
    'id',
    'author',
    'tags',
  ],
  ...[
    'comments',
    'profile',
    'type',
    'data',
    'meta',
    'attributes',
    'relationships',
    'serialization',
    'values',
    'operation',
    'matchFields',
    'lid',
  ],
  ...['__proto__', 'constructor', 'toString', 'data.attributes.slug', 'data', '@x', 'v', 'referentialEqualities'],
];

const name = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...NAMES) }, fc.string());
const leaf = fc.oneof(
  fc.constantFrom('post', 'user', 'tag', 'upsert', 'slug', 'Date', 'bigint', 'undefined', '1', '2024-01-31T10:00:00Z', 'AQID', 1, 7, null),
  fc.string(),
  fc.double(),
  fc.boolean(),
);

const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

/** The outer shape of a document around random members. */
const document = fc.record(
  {
    data: fc.record({ type: fc.constantFrom('post', 'Post'), id: leaf, attributes: json, relationships: json }, { requiredKeys: ['type'] }),
    meta: fc.record({ operation: leaf, matchFields: json, serialization: json }, { requiredKeys: [] }),
  },
  { requiredKeys: ['data'] },
);

/** JSON as it comes from the wire, where `__proto__` is a key like any other. */
const body = fc.oneof(json, document).map((value) => JSON.parse(JSON.stringify(value)) as unknown);

function isReadOrRefused(document: unknown, run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch (error) {
    return (
      error instanceof ApiError && error.problems.every(({ source }) => source && 'pointer' in source && exists(source.pointer, document))
    );
  }
}

/** Whether an RFC 6901 pointer leads to a value (ER-04). */
function exists(pointer: string, document: unknown): boolean {
  let value = document;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false;
    value = (value as Record<string, unknown>)[key];
  }
  return true;
}

const context = writeContext();

function plan(intent: WriteIntent): unknown {
  const { resource } = 'target' in intent ? intent.target : intent;
  return planWrite(intent, context.projections.keyOf(resource).selection, context);
}

describe('any JSON body', () => {
  it('is read and planned, or refused with an ApiError that points at a value in it', () => {
    fc.assert(
      fc.property(body, fc.boolean(), (value, strict) => {
        const options = { settings: { strict } };
        expect(isReadOrRefused(value, () => plan(create(value, options)))).toBe(true);
        expect(isReadOrRefused(value, () => plan(update(value, options)))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('is linkage, or refused with an ApiError that points at a value in it', () => {
    fc.assert(
      fc.property(
        body,
        fc.constantFrom('author', 'tags', 'comments'),
        fc.constantFrom('add', 'replace', 'remove'),
        (value, relationship, kind) => {
          const target = parseRelationshipTarget('update', 'relationship', { type: 'post', id: '7', relationship }, context);
          const run = (): unknown => plan({ kind, target, linkage: parseLinkageDocument(target, value, context) });
          expect(isReadOrRefused(value, run)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});
