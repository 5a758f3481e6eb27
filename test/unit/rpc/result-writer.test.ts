import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Resource } from '../../../lib/model/surface/surface.js';
import { type Named, pick } from '../../../lib/rpc/pick-result.js';
import { ResultWriter } from '../../../lib/rpc/result-writer.js';
import type { BytesForm } from '../../../lib/wire/encode-scalar.js';
import { encodeResult } from '../../../lib/wire/encode-result.js';
import { anyModel, anyRow } from '../wire/random-model.js';
import { sample } from '../../support/sample.js';

type Row = Readonly<Record<string, unknown>>;

const anyBytesForm = fc.constantFrom<BytesForm>('base64', 'typed-array');
const anyWritten = anyModel.chain((model) =>
  fc.tuple(fc.constant(model.resource), fc.array(anyRow(model, 2), { maxLength: 4 }), anySelect(model.resource, 2), anyBytesForm),
);

/** The selection of a planned call, in the order of the model, with computed counts. */
function anySelect(resource: Resource, depth: number): fc.Arbitrary<Row> {
  const members = [...resource.fields.values()].map((field) => {
    const selected = fc.constantFrom(true, true, false);
    if (field.kind === 'attribute') return [field.name, selected] as const;
    return [field.name, depth > 0 ? anySelect(field.target, depth - 1).map((select) => ({ select })) : selected] as const;
  });
  const counts = fc.constant({ select: { posts: true } });
  return fc.record(
    { ...Object.fromEntries(members), _count: counts, _sum: fc.constant(true) },
    { requiredKeys: [], noNullPrototype: true },
  );
}

/** Returns the text of the whole result, which is encoded as a value first. */
function made(result: unknown, { resource, select }: { resource: Resource; select: Row }, bytes: BytesForm): string {
  const { json, serialization } = encodeResult(pick(result, namedIn(select)), resource, bytes);
  return JSON.stringify({ data: json, ...(serialization && { meta: { serialization } }) });
}

function written(result: Row | readonly Row[], { resource, select }: { resource: Resource; select: Row }, bytes: BytesForm): string {
  return Buffer.from(new ResultWriter(bytes, Infinity).write(result, { resource, named: namedIn(select) }) ?? '').toString();
}

/** Returns the members that a `select` names. */
function namedIn(select: Row): Named {
  return new Map(
    Object.entries(select).flatMap(([name, selected]) => {
      if (selected === false) return [];
      return [
        [name, typeof selected === 'object' && selected !== null ? namedIn((selected as { readonly select: Row }).select) : null] as const,
      ];
    }),
  );
}

describe('ResultWriter', () => {
  it('writes the text that renderRpcResult returns, for the rows of any model', () => {
    fc.assert(
      fc.property(anyWritten, ([resource, rows, select, bytes]) => {
        expect(written(rows, { resource, select }, bytes)).toBe(made(rows, { resource, select }, bytes));
        for (const row of rows) expect(written(row, { resource, select }, bytes)).toBe(made(row, { resource, select }, bytes));
      }),
      { numRuns: sample.choose(100, 500) },
    );
  });

  it('writes metadata for the texts of SQL reads, by the types of their fields', () => {
    const types = { at: 'DateTime', big: 'BigInt', rating: 'Decimal', title: 'String' };
    const fields = Object.entries(types).map(([name, type]) => [name, { kind: 'attribute', name, type, list: false }] as const);
    // The writer reads these members alone.
    const resource = { fields: new Map(fields), computed: [] } as unknown as Resource;
    const select = { at: true, big: true, rating: true, title: true };
    const row = { at: '2026-01-01T00:00:00.000Z', big: '12', rating: '4.5', title: '12' };
    const values = { at: ['Date'], big: ['bigint'], rating: [['custom', 'Decimal']] };
    const text = JSON.stringify({ data: row, meta: { serialization: { values } } });
    expect(written(row, { resource, select }, 'base64')).toBe(text);
    expect(made(row, { resource, select }, 'base64')).toBe(text);
  });

  it('returns undefined where the text is too long', () => {
    // The writer reads these members alone.
    const resource = { fields: new Map(), computed: [] } as unknown as Resource;
    const selected = { resource, named: namedIn({ title: true }) };
    expect(new ResultWriter('base64', 17).write([{ title: 'a' }], selected)).toBeUndefined();
    expect(new ResultWriter('base64', 24).write([{ title: 'a' }], selected)).toHaveLength(24);
  });
});
