import { buildStorage } from '../../../lib/model/storage/build-storage.js';
import { storedModel } from '../../../lib/model/storage/stored-model.js';
import { printCondition } from '../../../lib/prisma/print-condition.js';
import { readRule } from '../../../lib/rules/read-rule.js';
import { ruledCondition } from '../../../lib/rules/ruled-condition.js';
import { RuleSet } from '../../../lib/rules/rule-set.js';
import type { Condition as RuleResult } from '../../../lib/rules/rules-option.js';
import { ALWAYS, type Condition } from '../../../lib/query/condition.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';

const STORAGE = buildStorage(resourceSchema);

function read(model: string, rule: RuleResult): Condition {
  return readRule(STORAGE, model, rule, (problem) => {
    throw new Error(problem);
  });
}

/** With these read rules; all other models are open. */
function rules(conditions: Readonly<Record<string, RuleResult>>): RuleSet {
  const all = Object.keys(resourceSchema.models).map((model) => [`${model}.read`, read(model, conditions[model] ?? true)] as const);
  return new RuleSet(STORAGE, new Map(all));
}

/** Returns a client's `where` under the rules, as it is printed for Prisma. */
function ruled(set: RuleSet, model: string, where: object): unknown {
  return printCondition(ruledCondition(set, read(model, { ...where })), storedModel(STORAGE, model));
}

const RULES = rules({ Comment: { postId: 1 }, User: { locale: 'en' }, Category: { parentId: 1 }, Profile: false });
/** A rule on a column that may be null is true or false of every row where Prisma joins the table. */
const CATEGORY = { parentId: 1, NOT: { parentId: null } };

describe('ruledCondition', () => {
  it.each<[object, object]>([
    [{ title: 'x' }, { title: 'x' }],
    [{ comments: { some: {} } }, { comments: { some: { postId: 1 } } }],
    [{ comments: { none: { body: 'x' } } }, { comments: { none: { body: 'x', postId: 1 } } }],
    [{ comments: { every: { body: 'x' } } }, { comments: { none: { postId: 1, NOT: { body: 'x' } } } }],
    [{ author: { name: 'x' } }, { author: { name: 'x', locale: 'en' } }],
    [{ category: { is: null } }, { category: null }],
    [{ category: { slug: 'x' } }, { category: { slug: 'x', ...CATEGORY } }],
    [{ tags: { some: { name: 'x' } } }, { tags: { some: { name: 'x' } } }],
    [{ id: 1, AND: [{ id: 2 }], NOT: { author: { id: 3 } } }, { AND: [{ id: 1, NOT: { author: { id: 3, locale: 'en' } } }, { id: 2 }] }],
    [
      { comments: { some: { author: { posts: { none: {} } } } } },
      { comments: { some: { author: { posts: { none: {} }, locale: 'en' }, postId: 1 } } },
    ],
  ])('%j becomes %j', (where, expected) => {
    expect(ruled(RULES, 'Post', where)).toEqual(expected);
  });

  it('returns a condition itself where no related rows have rules', () => {
    const condition = read('Post', { title: 'x', tags: { some: { name: 'y' } } });
    expect(ruledCondition(RULES, condition)).toBe(condition);
  });

  it('reads a to-one relation to a hidden row as null, where the other side has the key', () => {
    const profiles = rules({ Profile: { bio: 'x' } });
    const readable = { bio: 'x', NOT: { bio: null } };
    expect(ruled(profiles, 'User', { profile: null })).toEqual({ profile: { isNot: readable } });
    expect(ruled(profiles, 'User', { profile: { isNot: null } })).toEqual({ profile: readable });
    expect(ruled(RULES, 'User', { profile: { is: null } })).toEqual({ profile: { isNot: { id: { in: [] } } } });
  });

  it('adds the rule of a required related row, too, to a filter that only requires the row', () => {
    const post = storedModel(STORAGE, 'Post');
    const relation = post.relations.get('author');
    if (!relation) throw new Error('A post has an author.');
    const hasAuthor = { kind: 'is', relation, target: storedModel(STORAGE, 'User'), condition: ALWAYS } as const;
    expect(printCondition(ruledCondition(RULES, hasAuthor), post)).toEqual({ author: { locale: 'en' } });
  });

  it('makes a negated rule null-safe', () => {
    const negated = rules({ Category: { NOT: { parentId: 1 } } });
    expect(ruled(negated, 'Post', { category: { slug: 'x' } })).toEqual({
      category: { slug: 'x', NOT: { OR: [{ parentId: 1 }, { parentId: null }] } },
    });
  });

  it.each([[{ metadata: { path: ['a'], equals: 1 } }], [{ keywords: { has: 'x' } }]])(
    'refuses a to-one relation whose rule compares a nullable value that is no column: %j',
    (rule) => {
      expect(() => ruled(rules({ Post: rule }), 'Comment', { post: { title: 'x' } })).toThrow('This relation cannot be used to filter.');
    },
  );

  it('throws where the rule of a model was not evaluated', () => {
    expect(() => ruled(new RuleSet(STORAGE, new Map()), 'Post', { author: { id: 1 } })).toThrow('rules.User.read is needed');
  });
});
