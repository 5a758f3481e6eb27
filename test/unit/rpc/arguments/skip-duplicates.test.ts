import { describe, expect, it } from '@jest/globals';
import { buildResourceModel } from '../../../../lib/model/build-resource-model.js';
import { startBudget } from '../../../../lib/rpc/arguments/argument-path.js';
import { DEFAULT_LIMITS } from '../../../../lib/model/limits.js';
import type { ResourceSchema } from '../../../../lib/model/schema/resource-schema.js';
import { findResource, requireOperation } from '../../../../lib/rpc/parse-rpc-call.js';
import { planDataCall } from '../../../../lib/rpc/plan-rpc-call.js';
import { printCall } from '../../../support/print-plan.js';
import { BLOG } from '../../model/schema-builder.js';

function plan(operation: string, args: Record<string, unknown>, database: Pick<ResourceSchema, 'provider' | 'orm'>): unknown {
  const { model } = buildResourceModel({ ...BLOG, ...database });
  const call = { resource: findResource(model, 'user'), operation: requireOperation(operation), args };
  return printCall(planDataCall(call, startBudget(DEFAULT_LIMITS, model.storage))).args;
}

describe('skipDuplicates', () => {
  const many = { data: [], skipDuplicates: true };
  const nested = { where: { id: 1 }, data: { posts: { createMany: many } } };

  it.each(['sqlite', 'sqlserver', 'mongodb'] as const)('is refused on %s, at the top and in nested writes', (provider) => {
    const refusal = `skipDuplicates is an argument that the database (${provider}) does not have.`;
    expect(() => plan('createMany', many, { provider })).toThrow(refusal);
    expect(() => plan('createMany', { ...many, skipDuplicates: false }, { provider })).toThrow(refusal);
    expect(() => plan('update', nested, { provider })).toThrow(`data.posts.createMany.${refusal}`);
    expect(plan('createMany', { data: [] }, { provider })).toEqual({ data: [] });
  });

  it.each([{ provider: 'postgresql' }, { provider: 'mysql' }, { provider: 'sqlite', orm: 'zenstack' }] as const)(
    'is taken where it is: %j',
    (database) => {
      expect(plan('createMany', many, database)).toEqual(many);
      expect(plan('update', nested, database)).toMatchObject(nested);
    },
  );
});
