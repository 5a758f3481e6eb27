import { ConfigurationError } from '../../../lib/errors/configuration-error.js';
import { compileRules } from '../../../lib/rules/compile-rules.js';
import { reason } from '../../../lib/rules/reason.js';
import type { RulesOption } from '../../../lib/rules/rules-option.js';
import { buildStorage } from '../../../lib/model/storage/build-storage.js';
import { ALWAYS, type Condition, equals, NEVER } from '../../../lib/query/condition.js';
import { fieldNamed } from '../../../lib/query/fields.js';
import { storedModel } from '../../../lib/model/storage/stored-model.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';

const STORAGE = buildStorage(resourceSchema);
const EXPOSED = [{ model: 'User' }, { model: 'Post' }];

/** As `{ id: 1 }` is read. */
function isFirst(model: string): Condition {
  return equals(fieldNamed(storedModel(STORAGE, model), 'id'), 1);
}

function problemsOf(rules: unknown): readonly string[] {
  try {
    compileRules(rules as RulesOption, STORAGE, EXPOSED);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.length > 0 ? error.problems.map(({ message }) => message) : [error.message];
  }
}

describe('compileRules', () => {
  it('refuses a schema of ZenStack, which has policies', () => {
    const storage = { ...STORAGE, orm: 'zenstack' } as const;
    expect(() => compileRules({ '*': true }, storage, EXPOSED)).toThrow(/^The option 'rules' is for Prisma clients/);
  });

  it.each([
    [undefined, ["rules is 'undefined'. Set it to an object of rules by model."]],
    [
      { Post: true },
      [
        "The model 'User' has no rules. Add rules.User, or '*': false for the models without an entry, or hide it: resources.User: 'hidden'.",
      ],
    ],
    [{ '*': undefined }, ["rules['*'] is 'undefined'. Set it to true, false or an object of rules by action."]],
    [{ 'Pots': true, '*': true }, ["rules names 'Pots', which is no model of the schema. Did you mean 'Post'?"]],
    [{ 'Post': { raed: true }, '*': true }, ["rules.Post names 'raed', which is no action. Did you mean 'read'?"]],
    [
      { 'Post': { read: undefined }, '*': true },
      [expect.stringMatching(/^rules\.Post\.read gave undefined: a rule is true, false or a Prisma where\./)],
    ],
    [{ 'Post': { read: { authorId: undefined } }, '*': true }, [expect.stringMatching(/^rules\.Post\.read gave undefined at 'authorId'/)]],
    [
      { 'Post': { read: { authrId: 1 } }, '*': true },
      [
        "rules.Post.read gave a where in which 'authrId' is no name that Prisma takes there. Did you mean 'authorId'? Give a Prisma where of Post, true, false, or a function of the request.",
      ],
    ],
    [{ 'Post': { read: { author: {} } }, '*': true }, [expect.stringMatching(/^rules\.Post\.read gave \{\} at 'author'/)]],
    [{ 'Post': { read: {} }, '*': true }, [expect.stringMatching(/^rules\.Post\.read gave \{\}, which Prisma takes for no condition/)]],
    [{ 'Post': { read: { NOT: { AND: [] } } }, '*': true }, [expect.stringMatching(/^rules\.Post\.read gave \[\] at 'NOT\.AND', which/)]],
    [{ 'Post': { read: 'all' }, '*': true }, [expect.stringMatching(/^rules\.Post\.read gave a string:/)]],
    [
      { 'Post': { read: reason('no member', true) }, '*': true },
      [expect.stringMatching(/^rules\.Post\.read has a reason, and refuses nobody: what may not be read is not there\./)],
    ],
    [
      { 'Post': { delete: reason(' ', true), update: { using: reason(1 as never, true) } }, '*': true },
      [
        expect.stringMatching(/^rules\.Post\.delete has a reason that is no text\./),
        expect.stringMatching(/^rules\.Post\.update\.using has a reason that is no text\./),
      ],
    ],
    [
      { 'Post': { create: reason('RESULT_NOT_READABLE', true), delete: reason('a', reason('b', true)) }, '*': true },
      [
        expect.stringMatching(/^rules\.Post\.create has the reason 'RESULT_NOT_READABLE', which means that a write was committed\./),
        expect.stringMatching(/^rules\.Post\.delete has a reason within a reason\./),
      ],
    ],
    [{ 'Post': { delete: reason('a', undefined) }, '*': true }, [expect.stringMatching(/^rules\.Post\.delete gave undefined:/)]],
    [
      { 'Post': { delete: reason('a', { authrId: 1 }) }, '*': true },
      [expect.stringMatching(/^rules\.Post\.delete gave a where in which 'authrId' is no name/)],
    ],
    [
      { 'Post': { update: { check: true } }, '*': true },
      ["rules.Post.update has no 'using'. Say which rows may be updated: using: true means all."],
    ],
    [{ 'Post': { update: { using: true, chekc: true } }, '*': true }, [expect.stringMatching(/^rules\.Post\.update names 'chekc'/)]],
  ])('refuses %j', (rules, problems) => {
    expect(problemsOf(rules)).toEqual(problems);
  });

  it('reports all problems at once', () => {
    expect(problemsOf({ Psot: true, Post: { read: undefined, delete: 1 } })).toHaveLength(4);
  });

  it("uses the '*' of the model for an action without a rule, else false, and the '*' of the option for a model without an entry", () => {
    const read = (): boolean => true;
    const rules = compileRules({ 'Post': { read, '*': { id: 1 } }, 'User': { read: true }, '*': { read: true } }, STORAGE, EXPOSED);
    const describe = (model: string): unknown => Object.values(rules.get(model) ?? {}).map(({ place, rule }) => [place, rule]);
    expect(describe('Post')).toEqual([['rules.Post.read', read], ...Array<unknown>(4).fill(["rules.Post['*']", isFirst('Post')])]);
    expect(rules.get('User')?.delete.rule).toBe(NEVER);
    expect(rules.get('Tag')?.read).toEqual({ place: "rules['*'].read", rule: ALWAYS });
    expect(rules.get('Tag')?.create.rule).toBe(NEVER);
  });

  it('enforces an update rule before and after the update, and `using` after it, too, where there is no `check`', () => {
    const using = { id: 1 };
    const rules = compileRules(
      { 'Post': { update: using }, 'User': { update: { using, check: false } }, 'Tag': { update: { using } }, '*': false },
      STORAGE,
      [],
    );
    const of = (model: string): unknown => [rules.get(model)?.using.rule, rules.get(model)?.check.rule];
    expect([of('Post'), of('User'), of('Tag')]).toEqual([
      [isFirst('Post'), isFirst('Post')],
      [isFirst('User'), NEVER],
      [isFirst('Tag'), isFirst('Tag')],
    ]);
  });
});
