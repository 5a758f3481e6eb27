import { describe, expect, it } from '@jest/globals';
import { DEFAULT_LIMITS } from '../../../../lib/model/limits.js';
import { startBudget } from '../../../../lib/rpc/arguments/argument-path.js';
import { findResource, requireOperation } from '../../../../lib/rpc/parse-rpc-call.js';
import { planDataCall } from '../../../../lib/rpc/plan-rpc-call.js';
import { printCall } from '../../../support/print-plan.js';
import { modelOf } from '../model-of.js';

const { model } = modelOf('model Doc {\n  id Int @id\n  data Json[]\n  names String[]\n}');

function dataOf(data: object): unknown {
  const call = { resource: findResource(model, 'doc'), operation: requireOperation('create'), args: { data: { id: 1, ...data } } };
  return printCall(planDataCall(call, startBudget(DEFAULT_LIMITS, model.storage))).args['data'];
}

describe('a written list', () => {
  it.each([[{ data: [null, 1, { a: null }] }], [{ names: ['a', ''] }], [{ data: [], names: [] }]])('has its elements: %j', (data) => {
    expect(dataOf(data)).toEqual({ id: 1, ...data });
  });

  it('may be given as set', () => {
    expect(dataOf({ data: { set: [null] } })).toEqual({ id: 1, data: [null] });
  });

  it.each([
    [{ names: ['a', null] }, 'data.names.1 must not be null.'],
    [{ names: ['a', 7] }, 'data.names.1 must be a string without NUL characters and lone surrogates.'],
    [{ names: 'a' }, 'data.names must be a list.'],
  ])('is refused: %j', (data, problem) => {
    expect(() => dataOf(data)).toThrow(problem);
  });
});
