import fc from 'fast-check';
import type { OutgoingRequest } from '../../../support/send-request.js';
import { newValues, someValues, writtenModel, writtenNeighbourOf } from './random-content.js';
import { delegateOf, fieldsOf, hasRelations, merged, type NamedField, oneKey, pick, relationField } from './random-fields.js';
import { parameter } from './random-rest-request.js';

const id = fc.integer({ min: 1, max: 6 });

/** Returns linkage of a relation, mostly of the right cardinality and type. */
function linkage({ field: { type, list } }: NamedField): fc.Arbitrary<unknown> {
  const of = fc.oneof({ arbitrary: fc.constant(type), weight: 9 }, writtenNeighbourOf(type));
  const one = fc.tuple(of, id).map(([name, value]) => ({ type: delegateOf(name), id: value }));
  const many = fc.array(one, { maxLength: 2 });
  const single = fc.oneof({ arbitrary: one, weight: 3 }, fc.constant(null));
  return list ? fc.oneof({ arbitrary: many, weight: 9 }, single) : fc.oneof({ arbitrary: single, weight: 9 }, many);
}

const linkageOf = (relation: NamedField): fc.Arbitrary<object> => fc.record({ data: linkage(relation) });

function relationships(name: string): fc.Arbitrary<object> {
  if (!hasRelations(name)) return fc.constant({});
  const some = relationField(name).chain((relation) => oneKey('relationships', oneKey(relation.name, linkageOf(relation))));
  return fc.oneof({ arbitrary: fc.constant({}), weight: 2 }, some);
}

/** Returns the meta of an upsert, by the fields of a key or by any. */
function upsert(name: string): fc.Arbitrary<object> {
  const fields = fc.array(pick(fieldsOf(name, 'value').map((field) => field.name)), { minLength: 1, maxLength: 2 });
  return oneKey('meta', fc.record({ operation: fc.constant('upsert'), matchFields: fields }));
}

type Content = Pick<OutgoingRequest, 'method' | 'body'> & { readonly suffix: string };

function document(name: string, attributes: fc.Arbitrary<object>, more: object): fc.Arbitrary<object> {
  const values = fc.record({ type: fc.constant(delegateOf(name)), attributes });
  return merged(fc.tuple(values, relationships(name), fc.constant(more)));
}

function contents(name: string): readonly fc.Arbitrary<Content>[] {
  const text = (method: Content['method'], suffix: string, body: fc.Arbitrary<object>): fc.Arbitrary<Content> =>
    body.map((one) => ({ method, suffix, body: JSON.stringify(one) }));
  const created = oneKey('data', document(name, newValues(name), {}));
  const resources = [
    text('POST', '', created),
    text('POST', '', merged(fc.tuple(created, upsert(name)))),
    id.chain((value) => text('PATCH', `/${value}`, oneKey('data', document(name, someValues(name), { id: value })))),
    id.map((value): Content => ({ method: 'DELETE', suffix: `/${value}` })),
  ];
  if (!hasRelations(name)) return resources;
  const linked = fc.tuple(id, relationField(name), pick(['POST', 'PATCH', 'DELETE'] as const)).chain(([value, relation, method]) => {
    return text(method, `/${value}/relationships/${relation.name}`, linkageOf(relation));
  });
  return [...resources, linked];
}

/** A write of the REST style. */
export const restWrite = restWriteOf(writtenModel);

/** A write of the REST style, to some models. */
export function restWriteOf(some: fc.Arbitrary<string>): fc.Arbitrary<OutgoingRequest> {
  return some.chain((name) =>
    fc
      .tuple(fc.oneof(...contents(name)), fc.oneof({ arbitrary: fc.constant(''), weight: 3 }, parameter(name)))
      .map(([{ method, suffix, body }, query]): OutgoingRequest => {
        const path = `/api/rest/${delegateOf(name)}${suffix}${query && `?${query}`}`;
        return { method, path, ...(body !== undefined && { headers: { 'Content-Type': 'application/vnd.api+json' }, body }) };
      }),
  );
}
