import { describe, expect, it } from '@jest/globals';
import { type TransactionPlan } from '../../../../lib/data-client/plan.js';
import { parseAnswerQuery } from '../../../../lib/rest/parse/parse-answer-query.js';
import { parseQuery } from '../../../../lib/rest/parse/parse-query.js';
import { parseRelationshipTarget } from '../../../../lib/rest/parse/parse-target.js';
import { type AnswerPlan, limitAnswer, planAnswer, planLinkageAnswer } from '../../../../lib/rest/plan/plan-answer.js';
import { type FixtureOptions, writeContext } from '../write-fixture.js';

const PLAN: TransactionPlan = {
  kind: 'transaction',
  calls: [
    { delegate: 'tag', operation: 'findMany', args: {} },
    { delegate: 'post', operation: 'update', args: {} },
  ],
};

const limitedTo = (maxTake: number, settings: FixtureOptions['settings'] = {}): FixtureOptions => ({ limits: { maxTake }, settings });

/** What a write of a resource answers with. */
function answerOf(type: string, search: string, options: FixtureOptions): AnswerPlan {
  const context = writeContext(options);
  const resource = context.model.byType.get(type);
  if (!resource) throw new Error(`There is no ${type}.`);
  return planAnswer(parseAnswerQuery(resource, search, context), context);
}

/** What a write of a post's relationship answers with. */
function linkageAnswerOf(relationship: string, search: string, options: FixtureOptions): AnswerPlan {
  const context = writeContext(options);
  const target = parseRelationshipTarget('update', { kind: 'relationship', params: { type: 'post', id: '7', relationship } }, context);
  return planLinkageAnswer(parseQuery(target, search, context), context);
}

function expectationOf(answer: AnswerPlan, maxTake: number): unknown {
  const [look, write] = limitAnswer(PLAN, answer, maxTake).calls;
  expect(look).toBe(PLAN.calls[0]);
  return write?.expect;
}

describe('limitAnswer, of a resource', () => {
  it.each([
    ['post', ''],
    ['user', ''],
    ['post', 'include=author,category'],
    ['post', 'include=author.profile'],
  ])('has nothing counted where the answer cannot be too large: %s?%s', (type, search) => {
    expect(expectationOf(answerOf(type, search, limitedTo(2)), 2)).toBeUndefined();
  });

  it.each([
    ['include=author.profile,category', { author: { profile: {} }, category: {} }],
    ['include=tags', { tags: {} }],
    ['include=author.posts.tags,comments', { author: { posts: { tags: {} } }, comments: {} }],
  ])('has what is included counted where there could be too much of it: %s', (search, related) => {
    expect(expectationOf(answerOf('post', search, limitedTo(2)), 2)).toEqual({
      kind: 'related-at-most',
      related,
      rows: 2,
      problem: { code: 'limit-exceeded', detail: 'The answer to a write holds at most 2 included resources (limits.maxTake).' },
    });
  });

  it('has nothing counted without a limit', () => {
    expect(expectationOf(answerOf('post', 'include=tags,comments', limitedTo(Infinity)), Infinity)).toBeUndefined();
  });
});

describe('limitAnswer, of a relationship', () => {
  const endless = { pageSize: Infinity, maxPageSize: Infinity };

  it.each([
    ['tags', '', limitedTo(100)],
    ['author', '', limitedTo(1)],
    ['author', 'include=author', limitedTo(1)],
  ])('has nothing counted where a page holds the answer: %s?%s', (relationship, search, options) => {
    const { maxTake = 0 } = options.limits ?? {};
    expect(expectationOf(linkageAnswerOf(relationship, search, options), maxTake)).toBeUndefined();
  });

  it.each([
    ['tags', '', endless, { tags: {} }],
    ['tags', 'include=tags.posts', {}, { tags: { posts: {} } }],
    ['author', 'include=author.posts', {}, { author: { posts: {} } }],
  ])('has it counted where there could be too much: %s?%s', (relationship, search, settings, related) => {
    const expectation = expectationOf(linkageAnswerOf(relationship, search, limitedTo(100, settings)), 100);
    expect(expectation).toMatchObject({ kind: 'related-at-most', related, rows: 100 });
  });
});
