import { buildStorage } from '../../../lib/model/storage/build-storage.js';
import type { Condition } from '../../../lib/rules/rules-option.js';
import { RuleSet } from '../../../lib/rules/rule-set.js';
import { ruleWhere } from '../../../lib/rules/rule-where.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';

const STORAGE = buildStorage(resourceSchema);

/** With these read rules; all other models are open. */
function rules(conditions: Readonly<Record<string, Condition>>): RuleSet {
  const all = Object.keys(resourceSchema.models).map((model) => [`${model}.read`, conditions[model] ?? true] as const);
  return new RuleSet(STORAGE, new Map(all));
}

const RULES = rules({ Comment: { postId: 1 }, User: { locale: 'en' }, Category: { parentId: 1 }, Profile: false });
/** A rule on a column that may be null is true or false of every row where Prisma joins the table. */
const CATEGORY = { AND: [{ AND: [{ parentId: 1 }, { NOT: { parentId: null } }] }] };

describe('ruleWhere', () => {
  it.each([
    [{ title: 'x' }, { title: 'x' }],
    [{ comments: { some: {} } }, { AND: [{ comments: { some: { AND: [{ postId: 1 }] } } }] }],
    [{ comments: { none: { body: 'x' } } }, { AND: [{ comments: { none: { body: 'x', AND: [{ postId: 1 }] } } }] }],
    [{ comments: { every: { body: 'x' } } }, { AND: [{ comments: { none: { AND: [{ postId: 1 }], NOT: { body: 'x' } } } }] }],
    [{ comments: { every: {} } }, { AND: [{ comments: { every: {} } }] }],
    [{ author: { name: 'x' } }, { AND: [{ author: { is: { name: 'x', AND: [{ AND: [{ locale: 'en' }] }] } } }] }],
    [{ author: { isNot: { OR: [] } } }, { AND: [{ author: { isNot: { OR: [], AND: [{ AND: [{ locale: 'en' }] }] } } }] }],
    [{ category: { is: null } }, { AND: [{ category: { is: null } }] }],
    [{ category: { isNot: {} } }, { AND: [{ category: { isNot: { AND: [CATEGORY] } } }] }],
    [{ tags: { some: { name: 'x' } } }, { AND: [{ tags: { some: { name: 'x' } } }] }],
    [
      { id: 1, AND: [{ id: 2 }], NOT: { author: { id: 3 } } },
      { id: 1, AND: [{ id: 2 }], NOT: { AND: [{ author: { is: { id: 3, AND: [{ AND: [{ locale: 'en' }] }] } } }] } },
    ],
    [
      { comments: { some: { author: { posts: { none: {} } } } } },
      {
        AND: [
          {
            comments: {
              some: { AND: [{ author: { is: { AND: [{ posts: { none: {} } }, { AND: [{ locale: 'en' }] }] } } }, { postId: 1 }] },
            },
          },
        ],
      },
    ],
  ])('%j becomes %j', (where, ruled) => {
    expect(ruleWhere(RULES, 'Post', where)).toEqual(ruled);
  });

  it('takes a to-one relation to a row that may not be read for none, where the other side has the key', () => {
    const profiles = rules({ Profile: { bio: 'x' } });
    const readable = { AND: [{ AND: [{ bio: 'x' }, { NOT: { bio: null } }] }] };
    expect(ruleWhere(profiles, 'User', { profile: null })).toEqual({ AND: [{ profile: { isNot: readable } }] });
    expect(ruleWhere(profiles, 'User', { profile: { isNot: null } })).toEqual({ AND: [{ profile: { is: readable } }] });
    expect(ruleWhere(RULES, 'User', { profile: { is: null } })).toEqual({ AND: [{ profile: { isNot: { AND: [{ id: { in: [] } }] } } }] });
  });

  it('refuses a to-one relation whose rule compares what may be null and is no column', () => {
    const paths = rules({ Post: { metadata: { path: ['a'], equals: 1 } } });
    expect(() => ruleWhere(paths, 'Comment', { post: { title: 'x' } })).toThrow('This relation cannot be used to filter.');
  });

  it('fails where a rule was not foreseen', () => {
    expect(() => ruleWhere(new RuleSet(STORAGE, new Map()), 'Post', { author: { id: 1 } })).toThrow('rules.User.read is asked for');
  });
});
