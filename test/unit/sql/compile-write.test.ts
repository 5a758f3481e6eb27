import { describe, expect, it } from '@jest/globals';
import type { FlatWrite } from '../../../lib/sql/flat-write.js';
import { PlanCompiler } from '../../../lib/sql/plan-compiler.js';
import { modelOf } from '../rpc/model-of.js';

const { storage } = modelOf(`
model Visit {
  id Int      @id @default(autoincrement())
  at DateTime @default(now())
}
`).model;

describe('a write of records that say nothing', () => {
  const textOf = (count: number): string => {
    const [model] = storage.byModel.values();
    if (!model) throw new Error('There is a model.');
    const write: FlatWrite = {
      query: { kind: 'create-many', model, records: [] },
      records: Array.from({ length: count }, () => []),
      referred: [],
    };
    return new PlanCompiler(storage, 'public').compileWrite(write, undefined).text;
  };

  it('inserts the defaults of one', () => {
    expect(textOf(1)).toBe('INSERT INTO "public"."Visit" AS t0 DEFAULT VALUES');
  });

  it('is left to Prisma where there are several: SQL has no list of them', () => {
    expect(() => textOf(2)).toThrow('several records of defaults alone');
  });
});
