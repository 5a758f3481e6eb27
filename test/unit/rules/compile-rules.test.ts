import { ConfigurationError } from '../../../lib/errors/configuration-error.js';
import { compileRules } from '../../../lib/rules/compile-rules.js';
import type { RulesOption } from '../../../lib/rules/rules-option.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';

const EXPOSED = [{ model: 'User' }, { model: 'Post' }];

function problemsOf(rules: unknown): readonly string[] {
  try {
    compileRules(rules as RulesOption, resourceSchema, EXPOSED);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.length > 0 ? error.problems.map(({ message }) => message) : [error.message];
  }
}

describe('compileRules', () => {
  it('refuses a schema of ZenStack, which has policies of its own', () => {
    const schema = { ...resourceSchema, orm: 'zenstack' } as const;
    expect(() => compileRules({ '*': true }, schema, EXPOSED)).toThrow(/^The option 'rules' is for Prisma clients/);
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
    [{ 'Post': { read: 'all' }, '*': true }, [expect.stringMatching(/^rules\.Post\.read gave a string:/)]],
    [
      { 'Post': { update: { check: true } }, '*': true },
      ["rules.Post.update has no 'using'. Say which rows may be updated: using: true means all."],
    ],
    [{ 'Post': { update: { using: true, chekc: true } }, '*': true }, [expect.stringMatching(/^rules\.Post\.update names 'chekc'/)]],
  ])('refuses %j', (rules, problems) => {
    expect(problemsOf(rules)).toEqual(problems);
  });

  it('tells everything that is wrong at once', () => {
    expect(problemsOf({ Psot: true, Post: { read: undefined, delete: 1 } })).toHaveLength(4);
  });

  it('gives an action without a rule that of the model, else false; a model without an entry that of all others', () => {
    const read = (): boolean => true;
    const rules = compileRules({ 'Post': { read, '*': { id: 1 } }, 'User': { read: true }, '*': { read: true } }, resourceSchema, EXPOSED);
    const describe = (model: string): unknown => Object.values(rules.get(model) ?? {}).map(({ place, rule }) => [place, rule]);
    expect(describe('Post')).toEqual([
      ['rules.Post.read', read],
      ["rules.Post['*']", { id: 1 }],
      ["rules.Post['*']", { id: 1 }],
      ["rules.Post['*']", { id: 1 }],
      ["rules.Post['*']", { id: 1 }],
    ]);
    expect(rules.get('User')?.delete.rule).toBe(false);
    expect(rules.get('Tag')?.read).toEqual({ place: "rules['*'].read", rule: true });
    expect(rules.get('Tag')?.create.rule).toBe(false);
  });

  it('asks a bare update rule before and after, and `using` after, too, where nothing else is said', () => {
    const using = { id: 1 };
    const rules = compileRules(
      { 'Post': { update: using }, 'User': { update: { using, check: false } }, 'Tag': { update: { using } }, '*': false },
      resourceSchema,
      [],
    );
    const of = (model: string): unknown => [rules.get(model)?.using.rule, rules.get(model)?.check.rule];
    expect([of('Post'), of('User'), of('Tag')]).toEqual([
      [using, using],
      [using, false],
      [using, using],
    ]);
  });
});
