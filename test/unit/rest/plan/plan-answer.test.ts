import { describe, expect, it } from '@jest/globals';
import type { AtMost, RelatedRelation, TransactionPlan } from '../../../../lib/data-client/plan.js';
import type { Resource } from '../../../../lib/model/surface/surface.js';
import type { PlanContext } from '../../../../lib/rest/plan/plan-context.js';
import { parseAnswerQuery } from '../../../../lib/rest/parse/parse-answer-query.js';
import { parseQuery } from '../../../../lib/rest/parse/parse-query.js';
import { parseRelationshipTarget } from '../../../../lib/rest/parse/parse-target.js';
import type { Select } from '../../../../lib/rest/projection/projection.js';
import { limitAnswer, planLinkageAnswer } from '../../../../lib/rest/plan/plan-answer.js';
import { planSelect } from '../../../../lib/rest/plan/plan-read.js';
import { type FixtureOptions, writeContext } from '../write-fixture.js';

const PLAN: TransactionPlan = {
  kind: 'transaction',
  calls: [
    { delegate: 'tag', operation: 'findMany', args: {} },
    { delegate: 'post', operation: 'update', args: {} },
  ],
};

const limitedTo = (maxTake: number, settings: FixtureOptions['settings'] = {}): FixtureOptions => ({ limits: { maxTake }, settings });

interface Answer {
  readonly select: Select;
  readonly resource: Resource;
  readonly context: PlanContext;
}

/** What a write of a resource answers with. */
function answerOf(type: string, search: string, options: FixtureOptions): Answer {
  const context = writeContext(options);
  const resource = context.model.byType.get(type);
  if (!resource) throw new Error(`There is no ${type}.`);
  return { select: planSelect(parseAnswerQuery(resource, search, context), context), resource, context };
}

/** What a write of a post's relationship answers with. */
function linkageAnswerOf(relationship: string, search: string, options: FixtureOptions): Answer {
  const context = writeContext(options);
  const target = parseRelationshipTarget('update', { kind: 'relationship', params: { type: 'post', id: '7', relationship } }, context);
  return { select: planLinkageAnswer(parseQuery(target, search, context), context), resource: target.resource, context };
}

function expectationOf({ select, resource, context }: Answer): unknown {
  const [look, write] = PLAN.calls;
  if (!look || !write) throw new Error('The plan has two calls.');
  const [kept, limited] = limitAnswer({ ...PLAN, calls: [look, { ...write, args: { select } }] }, resource, context).calls;
  expect(kept).toBe(look);
  return limited?.expect;
}

/** Names of relations whose rows count, with those below them. */
function namesOf(relations: readonly RelatedRelation[] = []): object {
  return Object.fromEntries(relations.map(({ name, relations: inner }) => [name, namesOf(inner)]));
}

describe('limitAnswer, of a resource', () => {
  it.each([
    ['post', ''],
    ['user', ''],
    ['post', 'include=author,category'],
    ['post', 'include=author.profile'],
  ])('has nothing counted where the answer cannot be too large: %s?%s', (type, search) => {
    expect(expectationOf(answerOf(type, search, limitedTo(2)))).toBeUndefined();
  });

  it.each([
    ['include=author.profile,category', { author: { profile: {} }, category: {} }],
    ['include=tags', { tags: {} }],
    ['include=author.posts.tags,comments', { author: { posts: { tags: {} } }, comments: {} }],
  ])('has what is included counted where there could be too much of it: %s', (search, related) => {
    const expectation = expectationOf(answerOf('post', search, limitedTo(2))) as AtMost;
    expect(expectation).toMatchObject({
      kind: 'at-most',
      rows: 2,
      problem: { code: 'limit-exceeded', detail: 'An answer holds at most 2 resources, and as many included ones (limits.maxTake).' },
    });
    expect(namesOf(expectation.relations)).toEqual(related);
  });

  it('has nothing counted without a limit', () => {
    expect(expectationOf(answerOf('post', 'include=tags,comments', limitedTo(Infinity)))).toBeUndefined();
  });
});

describe('limitAnswer, of a relationship', () => {
  const endless = { pageSize: Infinity, maxPageSize: Infinity };

  it.each([
    ['tags', '', limitedTo(100)],
    ['author', '', limitedTo(1)],
    ['author', 'include=author', limitedTo(1)],
  ])('has nothing counted where a page holds the answer: %s?%s', (relationship, search, options) => {
    expect(expectationOf(linkageAnswerOf(relationship, search, options))).toBeUndefined();
  });

  it.each([
    ['tags', '', endless, { tags: {} }],
    ['tags', 'include=tags.posts', {}, { tags: { posts: {} } }],
    ['author', 'include=author.posts', {}, { author: { posts: {} } }],
  ])('has it counted where there could be too much: %s?%s', (relationship, search, settings, related) => {
    const expectation = expectationOf(linkageAnswerOf(relationship, search, limitedTo(100, settings))) as AtMost;
    expect(expectation).toMatchObject({ kind: 'at-most', rows: 100 });
    expect(namesOf(expectation.relations)).toEqual(related);
  });
});
