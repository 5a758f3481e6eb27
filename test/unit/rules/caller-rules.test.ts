import { CallerRules } from '../../../lib/rules/caller-rules.js';
import { compileRules } from '../../../lib/rules/compile-rules.js';
import { buildStorage } from '../../../lib/model/storage/build-storage.js';
import { storedModel } from '../../../lib/model/storage/stored-model.js';
import { printCondition } from '../../../lib/prisma/print-condition.js';
import { type Condition, or } from '../../../lib/query/condition.js';
import { reason } from '../../../lib/rules/reason.js';
import type { ModelRules } from '../../../lib/rules/rules-option.js';
import { skip } from '@prisma/client/runtime/client';
import { PrismaPg } from '@prisma/adapter-pg';
import { Prisma, PrismaClient } from '../../support/generated/prisma/client.js';
import { resourceSchema as namesSchema } from '../../support/generated/names/resource-schema.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';

const STORAGE = buildStorage(resourceSchema);

function callerOf(Post: ModelRules, request: unknown = { callerId: 7 }, model = 'Post'): CallerRules {
  return new CallerRules(compileRules({ [model]: Post, '*': false }, STORAGE, []), STORAGE, request);
}

/** Returns the condition of a rule, as it is printed for Prisma. */
async function readAs(model: string, rule: unknown): Promise<unknown> {
  // The types refuse some of these rules.
  const condition = await callerOf({ read: (() => rule) as never }, {}, model).evaluate(model, 'read');
  return printCondition(condition, storedModel(STORAGE, model));
}

const NONE = { id: { in: [] } };
const EMPTY = ', which Prisma takes for no condition at all: say true where all rows are meant.';
const NO_VALUE = ', which is no value of a field.';

/** As `prisma.post.fields.title` is. */
const { fields: FIELDS } = new PrismaClient({ adapter: new PrismaPg({}) }).post;
const FIELD = FIELDS.title;

describe('CallerRules', () => {
  it('evaluates a rule once, with the request of the platform', async () => {
    const seen: unknown[] = [];
    const caller = callerOf({
      '*': (request) => {
        seen.push(request);
        return Promise.resolve({ id: 1 });
      },
    });
    const all = await Promise.all((['read', 'create', 'using', 'check', 'delete'] as const).map((name) => caller.evaluate('Post', name)));
    expect([all.map((condition) => printCondition(condition, storedModel(STORAGE, 'Post'))), seen]).toEqual([
      Array(5).fill({ id: 1 }),
      [{ callerId: 7 }],
    ]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no session');
      },
      'rules.Post.read threw: no session',
    ],
    ['rejects', () => Promise.reject(new Error('no session')), 'rules.Post.read threw: no session'],
    ['gives nothing', () => undefined, 'rules.Post.read gave undefined: a rule is true, false or a Prisma where.'],
    ['gives null', () => null, 'rules.Post.read gave null: a rule is true, false or a Prisma where.'],
    ['gives a list', () => [], 'rules.Post.read gave an array: a rule is true, false or a Prisma where.'],
    ['gives a number', () => 1, 'rules.Post.read gave a number: a rule is true, false or a Prisma where.'],
    ['gives a class instance', () => new Date(), 'rules.Post.read gave a object: a rule is true, false or a Prisma where.'],
    [
      'has undefined in it',
      () => ({ authorId: undefined }),
      "rules.Post.read gave undefined at 'authorId', which Prisma takes for no condition at all.",
    ],
    [
      'has undefined deep in it',
      () => ({ OR: [{ published: true }, { author: { is: { id: undefined } } }] }),
      "rules.Post.read gave undefined at 'OR.1.author.is.id', which Prisma takes for no condition at all.",
    ],
    [
      'has undefined in a list',
      () => ({ id: { in: [1, undefined] } }),
      "rules.Post.read gave undefined at 'id.in.1', which Prisma takes for no condition at all.",
    ],
    ['skips', () => ({ authorId: skip }), "rules.Post.read gave Prisma.skip at 'authorId', which Prisma takes for no condition at all."],
    ['has NaN in it', () => ({ authorId: Number.NaN }), "rules.Post.read gave NaN at 'authorId', which Prisma takes for null."],
    ['has infinity in it', () => ({ id: { lt: Infinity } }), "rules.Post.read gave Infinity at 'id.lt', which Prisma takes for null."],
    [
      'has an infinity in a list',
      () => ({ id: { in: [1, -Infinity] } }),
      "rules.Post.read gave -Infinity at 'id.in.1', which Prisma takes for null.",
    ],
    ['is empty', () => ({}), `rules.Post.read gave {}${EMPTY}`],
    ['has an empty filter', () => ({ authorId: {} }), `rules.Post.read gave {} at 'authorId'${EMPTY}`],
    ['has a filter of a path alone', () => ({ metadata: { path: ['a'] } }), `rules.Post.read gave {} at 'metadata'${EMPTY}`],
    ['has a filter of a mode alone', () => ({ title: { mode: 'insensitive' } }), `rules.Post.read gave {} at 'title'${EMPTY}`],
    ['denies a path alone', () => ({ NOT: { metadata: { path: ['a'] } } }), `rules.Post.read gave {} at 'NOT.metadata'${EMPTY}`],
    ['has an empty relation', () => ({ author: {} }), `rules.Post.read gave {} at 'author'${EMPTY}`],
    ['is all of nothing', () => ({ AND: [] }), `rules.Post.read gave [] at 'AND'${EMPTY}`],
    ['is none of nothing', () => ({ NOT: [] }), `rules.Post.read gave [] at 'NOT'${EMPTY}`],
    ['denies all of nothing', () => ({ NOT: { AND: [] } }), `rules.Post.read gave [] at 'NOT.AND'${EMPTY}`],
    ['has all of nothing beside a condition', () => ({ id: 1, AND: [] }), `rules.Post.read gave [] at 'AND'${EMPTY}`],
    ['has all of nothing in an alternative', () => ({ OR: [{ AND: [] }] }), `rules.Post.read gave [] at 'OR.0.AND'${EMPTY}`],
    ['has all of nothing in a relation', () => ({ author: { NOT: [] } }), `rules.Post.read gave [] at 'author.NOT'${EMPTY}`],
    ['has an empty alternative', () => ({ OR: [{ id: 1 }, {}] }), `rules.Post.read gave {} at 'OR.1'${EMPTY}`],
    ['denies nothing', () => ({ authorId: { not: {} } }), `rules.Post.read gave {} at 'authorId.not'${EMPTY}`],
    ['requires nothing of every record', () => ({ comments: { every: {} } }), `rules.Post.read gave {} at 'comments.every'${EMPTY}`],
    ['has a map in it', () => ({ authorId: new Map([['equals', 1]]) }), `rules.Post.read gave an instance of Map at 'authorId'${NO_VALUE}`],
    ['has a set in it', () => ({ id: { in: new Set([1]) } }), `rules.Post.read gave an instance of Set at 'id.in'${NO_VALUE}`],
    ['has a URL in it', () => ({ title: new URL('http://a.test') }), `rules.Post.read gave an instance of URL at 'title'${NO_VALUE}`],
    [
      'has a user in it',
      () => ({
        authorId: new (class User {
          id = 1;
        })(),
      }),
      `rules.Post.read gave an instance of User at 'authorId'${NO_VALUE}`,
    ],
    ['has no date in it', () => ({ createdAt: new Date('x') }), `rules.Post.read gave an instance of Date at 'createdAt'${NO_VALUE}`],
    [
      'has no Decimal in it',
      () => ({ rating: new Prisma.Decimal(NaN) }),
      `rules.Post.read gave an instance of Decimal2 at 'rating'${NO_VALUE}`,
    ],
    [
      'has a boxed number in it',
      () => ({ authorId: Object(1) as unknown }),
      `rules.Post.read gave an instance of Number at 'authorId'${NO_VALUE}`,
    ],
    [
      'has a boxed string in it',
      () => ({ title: Object('x') as unknown }),
      `rules.Post.read gave an instance of String at 'title'${NO_VALUE}`,
    ],
    ['has a function in it', () => ({ authorId: () => 1 }), "rules.Post.read gave a function at 'authorId'."],
  ])('refuses a rule that %s, naming its place', async (_, read, message) => {
    // The types refuse such rules.
    await expect(callerOf({ read: read as never }).evaluate('Post', 'read')).rejects.toThrow(message);
  });

  it('has the reason that the function of a rule returns, or else that of the option', async () => {
    const caller = callerOf({
      create: reason('of the option', () => reason('of the function', { id: 1 })),
      delete: reason('of the option', () => false),
    });
    const condition = await caller.evaluate('Post', 'create');
    await caller.evaluate('Post', 'delete');
    expect([
      printCondition(condition, storedModel(STORAGE, 'Post')),
      caller.reasonOf('Post', 'create'),
      caller.reasonOf('Post', 'delete'),
    ]).toEqual([{ id: 1 }, { text: 'of the function', place: 'rules.Post.create' }, { text: 'of the option', place: 'rules.Post.delete' }]);
    expect([caller.reasonOf('Tag', 'delete'), caller.reasonOf('Nothing', 'delete')]).toEqual([undefined, undefined]);
    await expect(callerOf({ create: () => reason('', true) }).evaluate('Post', 'create')).rejects.toThrow(
      'rules.Post.create has a reason that is no text.',
    );
  });

  it.each([
    ['names no field', { authrId: 1 }, /^rules\.Post\.read gave a where in which 'authrId' is no name .* Did you mean 'authorId'\?$/],
    ['names no field of a related row', { author: { nme: 'x' } }, /in which 'author\.nme' is no name .* Did you mean 'name'\?$/],
    ['has an operator of a to-one relation on a list', { comments: { is: {} } }, /in which 'comments\.is' is no name/],
    ['has an operator of another type', { viewCount: { contains: 'x' } }, /in which 'viewCount\.contains' is no name/],
    ['has a value of another type', { authorId: '7' }, /in which 'authorId' must be a number\.$/],
    ['has no value of the enum', { author: { role: 'ROOT' } }, /in which 'author\.role' must be a value of the enum\.$/],
    ['gives a scalar for a list', { id: { in: 7 } }, /in which 'id\.in' must be a list\.$/],
    ['ends a pattern in an escape', { title: { endsWith: 'x\\' } }, /in which 'title\.endsWith' must not end with a single backslash/],
    [
      'compares a field regardless of case',
      { title: { equals: FIELD, mode: 'insensitive' } },
      /'title\.mode' does not go with equals and a field/,
    ],
    [
      'compares with a field of another type',
      { title: { equals: FIELDS.viewCount } },
      /'title\.equals' must be a value, or a field .* of type String\.$/,
    ],
    ['compares with a field of another model', { author: { name: FIELD } }, /'author\.name' must be a value, or a field of the same model/],
    ['compares one value with a list', { title: { equals: FIELDS.keywords } }, /'title\.equals' must be a value, or a field/],
    [
      'compares a list with one value',
      { keywords: { hasSome: FIELD } },
      /'keywords\.hasSome' must be a value, or a field .* of type String\[\]\.$/,
    ],
    ['compares a list with another as a whole', { keywords: { equals: FIELDS.keywords } }, /'keywords\.equals' must be a list\.$/],
    [
      'compares Json with a number',
      { metadata: { equals: FIELDS.viewCount } },
      /'metadata\.equals' must be a value, or a field .* of type Json\.$/,
    ],
    ['has a field within Json', { metadata: { equals: { a: FIELD } } }, /'metadata\.equals' must be a JSON value\.$/],
    ['has one of the nulls within Json', { metadata: { equals: [Prisma.JsonNull] } }, /'metadata\.equals' must be a JSON value\.$/],
    ['has the value of a Json field alone', { metadata: Prisma.AnyNull }, /in which 'metadata' must be an object\.$/],
    ['names a key of several fields', { OrderLine: {} }, /in which 'OrderLine' is no name/],
  ])('refuses a rule that %s', async (_, rule, message) => {
    await expect(readAs('Post', rule)).rejects.toThrow(message);
  });

  it.each<[string, string, object]>([
    ['dates and Decimals', 'Post', { createdAt: { lt: new Date(0) }, rating: { gte: new Prisma.Decimal(1) } }],
    ['dates as texts', 'Post', { createdAt: { gte: '2020-01-01T00:00:00Z' } }],
    ['bytes', 'Profile', { avatar: { in: [new Uint8Array([1]), Buffer.from('a')] } }],
    ['nulls', 'Post', { reviewerId: null, metadata: { not: Prisma.AnyNull } }],
    ['bigints', 'Post', { id: { in: [1n] } }],
    ['references to fields', 'Post', { title: { equals: FIELD }, content: { not: { contains: FIELD } } }],
    ['references in lists', 'Post', { title: { in: FIELDS.keywords }, keywords: { has: FIELD } }],
    ['references of Json', 'Post', { AND: [{ metadata: { not: FIELDS.metadata } }, { metadata: { string_contains: FIELD } }] }],
    ['JSON that looks like a reference', 'Post', { metadata: { equals: { modelName: 'Post', name: 'title', typeName: 'String' } } }],
    ['rows that there are', 'Post', { comments: { some: {} }, tags: { none: {} } }],
    ['Json and a path', 'Post', { metadata: { path: ['a'], equals: { b: {} } } }],
    ['an empty Json object', 'Post', { metadata: { equals: {} } }],
    ['lists', 'Post', { keywords: { hasSome: ['a', 'b'] } }],
    ['a full-text search', 'Post', { title: { search: 'cat & dog' } }],
    ['hidden fields and closed relations', 'User', { passwordHash: 'x', tokens: { some: { secret: { not: 'y' } } } }],
    ['comparisons regardless of case', 'Post', { title: { contains: 'a%', mode: 'insensitive' } }],
    ['enums', 'User', { role: { in: ['ADMIN', 'AUTHOR'] } }],
  ])('takes %s', async (_, model, where) => {
    await expect(readAs(model, where)).resolves.toEqual(where);
  });

  it('escapes wildcards in case-insensitive equality', async () => {
    const where = { email: { equals: 'a_b%', mode: 'insensitive' } };
    await expect(readAs('User', where)).resolves.toEqual({ email: { equals: 'a\\_b\\%', mode: 'insensitive' } });
  });

  /** Prisma finds no row for `{ OR: [] }`, and every row for `{ AND: [{ OR: [] }] }` and `{ NOT: { NOT: { OR: [] } } }`. */
  it.each<[object, object]>([
    [{ OR: [] }, NONE],
    [{ AND: [{ OR: [] }] }, NONE],
    [{ AND: { OR: [] } }, NONE],
    [{ id: 1, OR: [] }, NONE],
    [{ id: 1, AND: [{ AND: [{ OR: [] }] }] }, NONE],
    [{ OR: [{ OR: [] }, { id: 1 }] }, { id: 1 }],
    [{ NOT: { OR: [] } }, {}],
    [{ NOT: { NOT: { OR: [] } } }, NONE],
    [{ NOT: [{ id: 1 }, { NOT: { OR: [] } }] }, NONE],
    [{ NOT: { AND: [{ NOT: { OR: [] } }] } }, NONE],
    [{ NOT: { OR: [{ id: 1 }, { NOT: { OR: [] } }] } }, NONE],
    [{ OR: [{ NOT: { OR: [] } }, { id: 1 }] }, {}],
    [{ comments: { some: { NOT: { NOT: { OR: [] } } } } }, { comments: { some: NONE } }],
    [{ author: { NOT: { OR: [] } } }, { author: { is: {} } }],
    [{ author: { AND: [{ OR: [] }] } }, { author: NONE }],
    [{ author: { isNot: { OR: [] } } }, { author: { isNot: NONE } }],
    [{ comments: { some: { AND: [{ OR: [] }] }, none: {} } }, { AND: [{ comments: { some: NONE } }, { comments: { none: {} } }] }],
    [{ NOT: [{ id: 1 }, { id: 2 }] }, { AND: [{ NOT: { id: 1 } }, { NOT: { id: 2 } }] }],
    [
      { id: 1, title: 'x' },
      { id: 1, title: 'x' },
    ],
  ])('simplifies %j to a condition that selects the same rows within any other', async (where, read) => {
    await expect(readAs('Post', where)).resolves.toEqual(read);
  });

  it('rejects a rule of all models for a model that lacks its field', async () => {
    const rules = compileRules({ '*': { read: { title: 'x' } } }, STORAGE, []);
    const caller = new CallerRules(rules, STORAGE, {});
    const condition = await caller.evaluate('Post', 'read');
    expect(printCondition(condition, storedModel(STORAGE, 'Post'))).toEqual({ title: 'x' });
    await expect(caller.evaluate('Tag', 'read')).rejects.toThrow("rules['*'].read gave a where in which 'title' is no name");
  });

  it('reads a key that is a relation as the relation, and not as an operator', async () => {
    const storage = buildStorage(namesSchema);
    const read = async (model: string, where: object): Promise<unknown> => {
      const rules = compileRules({ [model]: { read: { ...where } } }, storage, []);
      return printCondition(await new CallerRules(rules, storage, {}).evaluate(model, 'read'), storedModel(storage, model));
    };
    expect(await read('Tool', { is: { name: 'x' }, some: { is: { name: 'y' } } })).toEqual({ is: { name: 'x' }, some: { name: 'y' } });
    expect(await read('Account', { is: { is: { name: 'x' } }, some: { some: { data: null } } })).toEqual({
      // Prisma reads a key that can be an operator as one.
      is: { name: 'x' },
      some: { some: { data: null } },
    });
  });

  it('combines conditions by NOT where the other connectives are fields, and refuses connectives that are fields', async () => {
    const storage = buildStorage(namesSchema);
    const choice = storedModel(storage, 'Choice');
    const read = (model: string, where: object): Promise<Condition> => {
      const rules = compileRules({ [model]: { read: { ...where } } }, storage, []);
      return new CallerRules(rules, storage, {}).evaluate(model, 'read');
    };
    const rule = await read('Choice', { id: { not: 1 }, NOT: [{ ownerId: 2 }, { id: 3 }] });
    const conditions = [{ id: { not: 1 } }, { NOT: { ownerId: 2 } }, { NOT: { id: 3 } }];
    const [, second, third] = conditions;
    expect(printCondition(rule, choice)).toEqual({ NOT: [{ NOT: { ...conditions[0], ...second } }, { NOT: third }] });
    const [one, other] = [await read('Choice', { id: 1 }), await read('Choice', { ownerId: null })];
    expect(printCondition(or(one, other), choice)).toEqual({ NOT: { NOT: [{ id: 1 }, { ownerId: null }] } });
    expect(() => read('Choice', { AND: [{ id: 1 }] })).toThrow("'AND' is a connective, and a member of the model as well");
    expect(() => read('Account', { choices: { some: { OR: [{ id: 1 }] } } })).toThrow("'choices.some.OR' is a connective, and a member");
    for (const where of [{ id: 1 }, { NOT: { id: 1 } }]) {
      expect(() => read('Gate', where)).toThrow("rules.Gate.read gave a where, and 'Gate' has members called AND and NOT");
    }
    expect(() => read('Account', { gates: { none: { NOT: { id: 1 } } } })).toThrow("'gates.none.NOT' is a connective, and a member");
  });
});
