import { describe, expect, it } from '@jest/globals';
import type { DataCall } from '../../../../lib/executor/plan.js';
import { selectionIn } from '../../../../lib/query/query.js';
import { relatedMembers, type Selection } from '../../../../lib/query/selection.js';
import { parseAnswerQuery, parseQuery } from '../../../../lib/rest/parse/parse-query.js';
import { parseRelationshipTarget, parseResourceTarget } from '../../../../lib/rest/parse/parse-target.js';
import type { WriteIntent } from '../../../../lib/rest/parse/write-intent.js';
import type { PlanContext } from '../../../../lib/rest/plan/plan-context.js';
import { planLinked, planSelection } from '../../../../lib/rest/plan/plan-read.js';
import { planWrite } from '../../../../lib/rest/plan/plan-write.js';
import { type FixtureOptions, writeContext } from '../write-fixture.js';

const limitedTo = (maxTake: number, settings: FixtureOptions['settings'] = {}): FixtureOptions => ({ limits: { maxTake }, settings });

/** Returns the expectation of the response to a write of a resource. */
function answerOf(type: string, search: string, options: FixtureOptions): DataCall | undefined {
  const context = writeContext(options);
  const { resource, id } = parseResourceTarget('update', { type, id: '7' }, context);
  const intent = { kind: 'update', resource, id, content: { attributes: [], linkages: [] } } as const;
  return writeOf(intent, planSelection(parseAnswerQuery(resource, search, context), context), context);
}

/** Returns the expectation of the response to a write of a post's relationship. */
function linkageAnswerOf(relationship: string, search: string, options: FixtureOptions): DataCall | undefined {
  const context = writeContext(options);
  const target = parseRelationshipTarget('update', 'relationship', { type: 'post', id: '7', relationship }, context);
  const linkage = { relationship: target.relationship, records: [], pointer: '/data' };
  return writeOf({ kind: 'add', target, linkage }, planLinked(parseQuery(target, search, context), context).selection, context);
}

function writeOf(intent: WriteIntent, selection: Selection, context: PlanContext): DataCall | undefined {
  const [write, ...others] = planWrite(intent, selection, context).plan.calls;
  expect(others).toEqual([]);
  return write;
}

/** Returns the names of the relations whose rows are counted, with those below them. */
function countedIn(call: DataCall | undefined): object {
  const selection = call && selectionIn(call.query);
  return selection ? namesOf(selection) : {};
}

function namesOf(selection: Selection): object {
  return Object.fromEntries(relatedMembers(selection).map(({ relation, selection: inner }) => [relation.name, namesOf(inner)]));
}

describe('planWrite, the response with a resource', () => {
  it.each([
    ['post', ''],
    ['user', ''],
    ['post', 'include=author,category'],
    ['post', 'include=author.profile'],
  ])('counts nothing where the response cannot be too large: %s?%s', (type, search) => {
    expect(answerOf(type, search, limitedTo(2))).not.toHaveProperty('expect');
  });

  it.each([
    ['include=author.profile,category', { author: { profile: {} }, category: {} }],
    ['include=tags', { tags: {} }],
    ['include=author.posts.tags,comments', { author: { posts: { tags: {} } }, comments: {} }],
  ])('counts the included rows where they could be too many: %s', (search, related) => {
    const write = answerOf('post', search, limitedTo(2));
    expect(write?.expect).toMatchObject({
      kind: 'at-most',
      rows: 2,
      problem: { code: 'limit-exceeded', detail: 'An answer holds at most 2 resources, and as many included ones (limits.maxTake).' },
    });
    expect(countedIn(write)).toEqual(related);
  });

  it('counts nothing without a limit', () => {
    expect(answerOf('post', 'include=tags,comments', limitedTo(Infinity))).not.toHaveProperty('expect');
  });
});

describe('planWrite, the response with a relationship', () => {
  const endless = { pageSize: Infinity, maxPageSize: Infinity };

  it.each([
    ['tags', '', limitedTo(100)],
    ['author', '', limitedTo(1)],
    ['author', 'include=author', limitedTo(1)],
  ])('counts nothing where a page limits the response: %s?%s', (relationship, search, options) => {
    expect(linkageAnswerOf(relationship, search, options)).not.toHaveProperty('expect');
  });

  it.each([
    ['tags', '', endless, { tags: {} }],
    ['tags', 'include=tags.posts', {}, { tags: { posts: {} } }],
    ['author', 'include=author.posts', {}, { author: { posts: {} } }],
  ])('counts the linkage where it could be too large: %s?%s', (relationship, search, settings, related) => {
    const write = linkageAnswerOf(relationship, search, limitedTo(100, settings));
    expect(write?.expect).toMatchObject({ kind: 'at-most', rows: 100 });
    expect(countedIn(write)).toEqual(related);
  });
});
