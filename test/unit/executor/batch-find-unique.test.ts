import { describe, expect, it } from '@jest/globals';
import { isBatchable } from '../../../lib/executor/batch-find-unique.js';
import { queryOf } from '../rpc/publisher.js';

const isTogether = (args: Record<string, unknown>, operation = 'findUnique'): boolean => isBatchable(queryOf(`post.${operation}`, args));

describe('isFoundTogether', () => {
  it('is true for a findUnique by a single field', () => {
    expect(isTogether({ where: { id: 1n } })).toBe(true);
    expect(isTogether({ where: { id: 1n }, select: { title: true } }, 'findUniqueOrThrow')).toBe(true);
  });

  it.each([
    ['is found by several fields', { where: { title_authorId: { title: 'a', authorId: 1 } } }],
    ['has to meet a condition too', { where: { id: 1n, title: 'x' } }],
    ['comes with others', { where: { id: 1n }, include: { author: true } }],
    ['comes with numbers of others', { where: { id: 1n }, select: { _count: true } }],
  ])('is false for one that %s', (_, args) => {
    expect(isTogether(args)).toBe(false);
  });

  it('is false for other reads, and for writes', () => {
    expect(isTogether({ where: { id: 1n } }, 'findFirst')).toBe(false);
    expect(isTogether({ where: { id: 1n } }, 'delete')).toBe(false);
  });
});
