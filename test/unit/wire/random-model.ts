import fc from 'fast-check';
import type { Attribute, Field, Relationship, Resource } from '../../../lib/model/surface/surface.js';
import { anyBigint, anyBytes, anyDate, anyDecimal, anyDouble, anyScalar, anyValue, anyKey } from './reference.js';

/** A model whose every field is open; the codec reads `fields` and `computed`. */
export interface RandomModel {
  readonly resource: Resource;
}

const TYPES = ['String', 'Boolean', 'Int', 'BigInt', 'Float', 'Decimal', 'DateTime', 'Json', 'Bytes', 'Enum'] as const;

const VALUES: Readonly<Record<Attribute['type'], fc.Arbitrary<unknown>>> = {
  String: fc.string(),
  Boolean: fc.boolean(),
  Int: fc.integer(),
  BigInt: anyBigint,
  Float: anyDouble,
  Decimal: anyDecimal,
  DateTime: anyDate,
  Json: anyValue(anyKey, fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))),
  Bytes: anyBytes,
  Enum: fc.constantFrom('RED', 'GREEN'),
};

const anyAttributes = fc.array(fc.record({ type: fc.constantFrom(...TYPES), list: fc.boolean() }), { minLength: 1, maxLength: 8 });
const anyLinks = fc.array(fc.record({ from: fc.nat(2), to: fc.nat(2), many: fc.boolean() }), { maxLength: 5 });

/** Three models with attributes of random types, related at random, cycles included. */
export const anyModel: fc.Arbitrary<RandomModel> = fc
  .record({ models: fc.tuple(anyAttributes, anyAttributes, anyAttributes), links: anyLinks })
  .map(({ models, links }) => {
    // Parts of resources: what the encoder reads of them.
    const resources = models.map((attributes, index) => {
      const fields = attributes.map(
        ({ type, list }, at) => [`f${at}`, { kind: 'attribute', name: `f${at}`, type, list } as Attribute] as const,
      );
      return { model: `M${index}`, fields: new Map<string, Field>(fields), computed: [] } as unknown as Resource;
    });
    links.forEach(({ from, to, many }, at) => {
      const [source, target] = [resources[from], resources[to]];
      const relationship = { kind: 'relationship', name: `r${at}`, many, target } as unknown as Relationship;
      (source?.fields as Map<string, Field>).set(relationship.name, relationship);
    });
    return { resource: resources[0] as unknown as Resource };
  });

/** A row of any selection of the model's fields, relations to a depth, and keys that are not in the model. */
export function anyRow({ resource }: RandomModel, depth: number): fc.Arbitrary<Record<string, unknown>> {
  const members = [...resource.fields.values()]
    .filter((field) => field.kind === 'attribute' || depth > 0)
    .map((field) => [field.name, field.kind === 'attribute' ? anyOf(field) : anyRelated(field, depth)] as const);
  const unknowns = { _count: fc.record({ posts: fc.nat() }, { noNullPrototype: true }), _sum: anyValue(anyKey), computed: anyScalar };
  return fc.record({ ...Object.fromEntries(members), ...unknowns }, { requiredKeys: [], noNullPrototype: true });
}

function anyOf({ type, list }: Attribute): fc.Arbitrary<unknown> {
  return fc.oneof(fc.constant(null), list ? fc.array(VALUES[type], { maxLength: 3 }) : VALUES[type]);
}

function anyRelated({ target, many }: Relationship, depth: number): fc.Arbitrary<unknown> {
  const row = anyRow({ resource: target }, depth - 1);
  return many ? fc.array(row, { maxLength: 3 }) : fc.option(row);
}
