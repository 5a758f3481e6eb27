import { describe, expect, it } from '@jest/globals';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { compare } from '../../../lib/query/condition.js';
import { fieldNamed } from '../../../lib/query/fields.js';
import { PlanCompiler } from '../../../lib/sql/plan-compiler.js';
import { publisher, queryOf } from '../rpc/publisher.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Reads of each kind, with a large value that is an object. */
const READS: readonly (readonly [operation: string, args: (values: readonly string[]) => Record<string, unknown>])[] = [
  ['findMany', (values) => ({ where: { title: { in: values } } })],
  ['findFirst', (values) => ({ where: { NOT: { title: { in: values } } }, orderBy: { id: 'asc' } })],
  ['findUnique', (values) => ({ where: { id: 1n, title: { in: values } } })],
  ['count', (values) => ({ where: { OR: [{ title: { in: values } }, { id: 1n }] } })],
];

describe('what a compiler keeps of a query', () => {
  it.each(READS)('does not keep the query or a value of %s in memory', async (operation, args) => {
    const compiler = new PlanCompiler(publisher.storage, 'public');
    const refs: WeakRef<object>[] = [];
    const compile = (): void => {
      const query = queryOf(`post.${operation}`, args(Array.from({ length: 50 }, (_, index) => `value ${index}`)));
      const compiled = compiler.compile({ kind: 'call', call: { query } });
      expect(compiled).not.toHaveProperty('reason');
      refs.push(new WeakRef(query), new WeakRef(Reflect.get(query, 'where') as object));
    };
    compile();
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect(refs.map((ref) => ref.deref() === undefined)).toEqual(refs.map(() => true));
    expect(compiler).toBeInstanceOf(PlanCompiler);
  });
});

describe('what a compiler declines', () => {
  it.each(['in', 'notIn'] as const)('is %s with a reference to a list field, and not a list of the same field after it', (operator) => {
    const compiler = new PlanCompiler(publisher.storage, 'public');
    const compile = (operand: unknown): object => {
      const query = queryOf('user.findMany', { where: { name: { in: ['Ada'] } } });
      if (query.kind !== 'find') throw new TypeError('findMany is no find.');
      const where = compare(fieldNamed(query.model, 'name'), operator, operand);
      return compiler.compile({ kind: 'call', call: { query: Object.freeze({ ...query, where }) } });
    };
    // As `prisma.user.fields.names`.
    class FieldRef {
      readonly modelName = 'User';
      readonly name = 'names';
      readonly typeName = 'String';
    }
    for (const operand of [new FieldRef(), ['Ada'], new FieldRef(), []]) {
      expect([operand, 'reason' in compile(operand)]).toEqual([operand, operand instanceof FieldRef]);
    }
  });
});

describe('the cache of a compiler', () => {
  it('does not grow with the values of queries or with different pages', () => {
    const compiler = new PlanCompiler(publisher.storage, 'public');
    const compileMany = (from: number, count: number): void => {
      for (let take = from; take < from + count; take++) {
        const values = Array.from({ length: 50 }, (_, index) => `${take} ${index} `.padEnd(10_000, 'x'));
        const query = queryOf('post.findMany', { where: { title: { in: values } }, take });
        expect(compiler.compile({ kind: 'call', call: { query } })).not.toHaveProperty('reason');
      }
    };
    compileMany(1, 20);
    collect();
    const { heapUsed: before } = process.memoryUsage();
    // 150 MB of values.
    compileMany(21, 300);
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(15_000_000);
  });
});
