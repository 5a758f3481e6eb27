import { describe, expect, it } from '@jest/globals';
import { requireOperation } from '../../../lib/rpc/parse-rpc-call.js';
import { renderRpcBatch, renderRpcResult } from '../../../lib/rpc/render-rpc-result.js';
import { queryOf, resource } from './publisher.js';

const SETTINGS = { bytes: 'base64', describe: true } as const;

describe('renderRpcResult', () => {
  it.each([
    ['create', 201],
    ['createMany', 201],
    ['createManyAndReturn', 201],
    ['upsert', 200],
    ['update', 200],
    ['deleteMany', 200],
    ['findMany', 200],
  ])('answers %s with %i', (operation, status) => {
    expect(render(operation, []).status).toBe(status);
  });

  it.each([[null], [0], [false], [''], [[]]])('returns %j unchanged, without metadata', (result) => {
    expect(render('findFirst', result).body).toEqual({ data: result });
  });

  it('adds metadata where the result holds types that JSON lacks', () => {
    expect(render('findFirst', { id: 5n, createdAt: new Date(0) }).body).toEqual({
      data: { id: '5', createdAt: '1970-01-01T00:00:00.000Z' },
      meta: { serialization: { values: { id: ['bigint'], createdAt: ['Date'] } } },
    });
  });

  it('renders the results of a batch as one list', () => {
    const results = [
      { query: queryOf('post.deleteMany', { where: {} }), result: { count: 1 } },
      { query: queryOf('post.findMany', { select: { id: true } }), result: [{ id: 5n, title: 'not selected' }] },
      { query: queryOf('post.count', {}), result: 7n },
      { query: queryOf('post.findFirst', {}), result: null },
    ].map((answered) => ({ ...answered, resource: resource('post') }));
    const { status, body } = renderRpcBatch(results, SETTINGS);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: [{ count: 1 }, [{ id: '5' }], '7', null],
        meta: { serialization: { values: { '1.0.id': ['bigint'], '2': ['bigint'] } } },
      },
    });
  });

  function render(operation: string, result: unknown) {
    const query = queryOf('post.findMany', { select: { id: true, createdAt: true } });
    const call = { resource: resource('post'), operation: requireOperation(operation), args: {} };
    return renderRpcResult(call, { query, result }, SETTINGS);
  }
});
