import { buildResourceModel } from '../../../lib/model/build-resource-model.js';
import { describeSurface } from '../../../lib/model/surface/describe-surface.js';
import type { RowStates } from '../../../lib/model/surface/surface.js';
import { compileRules } from '../../../lib/rules/compile-rules.js';
import { withRowStates } from '../../../lib/rules/row-states.js';
import type { RulesOption } from '../../../lib/rules/rules-option.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';

const { model: MODEL } = buildResourceModel(resourceSchema, { resources: { Tag: { actions: ['read'] } } });

function statesOf(name: string, rules: RulesOption): RowStates | undefined {
  const model = withRowStates(MODEL, compileRules({ '*': false, ...rules }, MODEL.storage, []));
  return describeSurface(model).find((entry) => entry.model === name)?.rows;
}

const states = (read: string, create: string, update: string, remove: string) => ({ read, create, update, delete: remove });

describe('withRowStates', () => {
  it.each<[RulesOption, object]>([
    [{}, states('closed', 'closed', 'closed', 'closed')],
    [{ Post: true }, states('open', 'open', 'open', 'open')],
    [{ Post: { read: () => true, create: true, update: { published: true } } }, states('ruled', 'open', 'ruled', 'closed')],
    [{ Post: { '*': () => false, 'delete': true } }, states('ruled', 'ruled', 'ruled', 'open')],
    [{ Post: { update: { using: true, check: { id: 1 } } } }, states('closed', 'closed', 'ruled', 'closed')],
    [{ Post: { update: { using: { id: 1 }, check: true } } }, states('closed', 'closed', 'ruled', 'closed')],
    [{ Post: { update: { using: () => true, check: false } } }, states('closed', 'closed', 'closed', 'closed')],
    [{ '*': { read: true } }, states('open', 'closed', 'closed', 'closed')],
    // Constants open and close as true and false do.
    [
      {
        Post: {
          read: { NOT: { OR: [] } },
          create: { OR: [{ NOT: { OR: [] } }, { id: 1 }] },
          update: { OR: [] },
          delete: { NOT: { NOT: { OR: [] } } },
        },
      },
      states('open', 'open', 'closed', 'closed'),
    ],
  ])('has for the rules %j whether each action reaches all rows, some or none', (rules, expected) => {
    expect(statesOf('Post', rules)).toEqual(expected);
  });

  it('is closed for an action that is not exposed', () => {
    expect(statesOf('Tag', { Tag: true })).toEqual(states('open', 'closed', 'closed', 'closed'));
  });

  it('has exposed models alone, and open rows where there are no rules', () => {
    const { model } = buildResourceModel(resourceSchema, { resources: { User: 'hidden' } });
    const { rows } = withRowStates(model, compileRules({ '*': true }, MODEL.storage, []));
    expect([rows?.has('User'), rows?.has('Post')]).toEqual([false, true]);
    expect(describeSurface(model)[0]?.rows).toEqual(states('open', 'open', 'open', 'open'));
  });
});
