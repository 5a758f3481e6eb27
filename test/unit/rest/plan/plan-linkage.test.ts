import { describe, expect, it } from '@jest/globals';
import { parseLinkageDocument } from '../../../../lib/rest/parse/parse-linkage.js';
import { parseRelationshipTarget } from '../../../../lib/rest/parse/parse-target.js';
import { planWrite } from '../../../../lib/rest/plan/plan-write.js';
import { tag, user } from '../parse/parse-document-helpers.js';
import { type PrintedCall, printPlan } from '../../../support/print-plan.js';
import { writeContext } from '../write-fixture.js';

const SELECT = { id: true };

const comment = (id: unknown): object => ({ type: 'comment', id });

describe('planWrite, the URL of a relationship', () => {
  function change(kind: 'add' | 'replace' | 'remove', relationship: string, data: unknown): readonly PrintedCall[] {
    const context = writeContext();
    const type = relationship === 'profile' || relationship === 'badge' ? 'user' : 'post';
    const target = parseRelationshipTarget('update', 'relationship', { type, id: '7', relationship }, context);
    const { selection } = context.projections.keyOf(target.resource);
    const intent = { kind, target, linkage: parseLinkageDocument(target, { data }, context) } as const;
    return printPlan(planWrite(intent, selection, context).plan).calls;
  }

  const updateOf = (delegate: string, data: unknown): unknown => ({
    delegate,
    operation: 'update',
    args: { where: { id: 7 }, data, select: SELECT },
  });

  it.each([
    {
      does: 'adds members',
      kind: 'add',
      relationship: 'tags',
      data: [tag(1), tag(2)],
      written: { tags: { connect: [{ id: 1 }, { id: 2 }] } },
    },
    {
      does: 'adds what cannot be alone',
      kind: 'add',
      relationship: 'comments',
      data: [comment(1)],
      written: { comments: { connect: [{ id: 1 }] } },
    },
    { does: 'replaces members', kind: 'replace', relationship: 'tags', data: [tag(1)], written: { tags: { set: [{ id: 1 }] } } },
    { does: 'replaces a to-one', kind: 'replace', relationship: 'author', data: user(1), written: { authorId: 1 } },
  ] as const)('$does, after a check that they exist (RE-03, D19)', ({ kind, relationship, data, written }) => {
    const calls = change(kind, relationship, data);
    expect(calls).toHaveLength(2);
    expect(calls).toMatchObject([{ operation: 'findMany', expect: { kind: 'all-found' } }, updateOf('post', written)]);
  });

  it.each([
    {
      does: 'removes members, which need not exist (RE-07)',
      kind: 'remove',
      relationship: 'tags',
      data: [tag(1)],
      written: { tags: { disconnect: [{ id: 1 }] } },
    },
    {
      does: 'removes',
      kind: 'remove',
      relationship: 'notes',
      data: [{ type: 'note', id: 1 }],
      written: { notes: { disconnect: [{ id: 1 }] } },
    },
    { does: 'empties', kind: 'replace', relationship: 'tags', data: [], written: { tags: { set: [] } } },
    { does: 'clears', kind: 'replace', relationship: 'category', data: null, written: { categoryId: null } },
    { does: 'adds nothing', kind: 'add', relationship: 'tags', data: [], written: {} },
    { does: 'removes nothing', kind: 'remove', relationship: 'comments', data: [], written: {} },
  ] as const)('$does, in one call', ({ kind, relationship, data, written }) => {
    expect(change(kind, relationship, data)).toEqual([updateOf('post', written)]);
  });

  it('removes members that require the relationship only where they are not in it (RE-06, RE-11): else 403', () => {
    expect(change('remove', 'comments', [comment(1)])).toEqual([
      expect.objectContaining({
        args: { where: { post: { id: 7 }, id: { in: [1] } }, select: { id: true }, take: 1 },
        expect: { kind: 'none-found', problem: expect.objectContaining({ code: 'forbidden', source: { pointer: '/data' } }) },
      }),
      updateOf('post', {}),
    ]);
  });

  it('replaces a to-one relationship that its target requires only where there is no target', () => {
    expect(change('replace', 'profile', { type: 'profile', id: 2 })).toMatchObject([
      { expect: { kind: 'all-found' } },
      {
        args: { where: { user: { id: 7 }, NOT: { id: { in: [2] } } } },
        expect: { kind: 'none-found', problem: { code: 'forbidden' } },
      },
      {
        args: { where: { id: 2, NOT: { user: { id: 7 } } } },
        expect: { kind: 'none-found', problem: { code: 'unique-conflict' } },
      },
      updateOf('user', { profile: { connect: { id: 2 } } }),
    ]);
  });
});
