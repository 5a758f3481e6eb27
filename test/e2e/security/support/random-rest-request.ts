import fc from 'fast-check';
import { FILTER_OPERATORS } from '../../../../lib/rest/parse/filter-operators.js';
import type { OutgoingRequest } from '../../../support/send-request.js';
import { delegateOf, hasRelations, model, neighbourOf, pick, relationField, valueField, valueOf } from './random-fields.js';

function restFilter(name: string, depth: number): fc.Arbitrary<string> {
  const operator = fc.oneof(
    { arbitrary: fc.constantFrom('', '$startsWith', '$contains', '$gte', '$lt'), weight: 3 },
    pick([...FILTER_OPERATORS.keys()]).map((key) => `$${key}`),
  );
  const own = fc
    .tuple(
      valueField(name).chain((field) => fc.tuple(fc.constant(field.name), valueOf(field))),
      operator,
    )
    .map(([[field, value], key]) => `[${field}${key}]=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`);
  if (depth === 0 || !hasRelations(name)) return own;
  return fc.oneof(
    own,
    relationField(name).chain((relation) => restFilter(relation.field.type, depth - 1).map((rest) => `[${relation.name}]${rest}`)),
    relationField(name).chain((relation) => fc.integer({ min: 0, max: 5 }).map((id) => `[${relation.name}]=${id}`)),
  );
}

function restPath(name: string, depth: number): fc.Arbitrary<string> {
  if (depth === 0 || !hasRelations(name)) return valueField(name).map((field) => field.name);
  return fc.oneof(
    valueField(name).map((field) => field.name),
    relationField(name).chain((relation) => restPath(relation.field.type, depth - 1).map((rest) => `${relation.name}.${rest}`)),
    relationField(name).map((relation) => `${relation.name}.$count`),
  );
}

const relationPath = (name: string): fc.Arbitrary<string> =>
  hasRelations(name)
    ? relationField(name).chain((first) => {
        const next = hasRelations(first.field.type)
          ? relationField(first.field.type).map((second) => `${first.name}.${second.name}`)
          : pick([first.name]);
        return fc.oneof(fc.constant(first.name), next);
      })
    : fc.constant('nothing');

/** One parameter of a query. */
export function parameter(name: string): fc.Arbitrary<string> {
  return fc.oneof(
    { arbitrary: restFilter(name, 2).map((filter) => `filter${filter}`), weight: 3 },
    restFilter(name, 1).map((filter) => `filter[or][0]${filter}`),
    fc.tuple(fc.constantFrom('', '-'), restPath(name, 2)).map(([sign, path]) => `sort=${sign}${path}`),
    relationPath(name).map((path) => `include=${path}`),
    neighbourOf(name).chain((other) =>
      fc
        .oneof(valueField(other), hasRelations(other) ? relationField(other) : valueField(other))
        .map((field) => `fields[${delegateOf(other)}]=${field.name}`),
    ),
    fc.integer({ min: 1, max: 3 }).map((limit) => `page[limit]=${limit}`),
  );
}

/** A read of the REST style, of some models. */
export const restRequestOf = (some: fc.Arbitrary<string>): fc.Arbitrary<OutgoingRequest> => some.chain(readOf);

/** A read of the REST style. */
export const restRequest = restRequestOf(model);

function readOf(name: string): fc.Arbitrary<OutgoingRequest> {
  const path = fc.oneof(
    { arbitrary: fc.constant({ path: `/${delegateOf(name)}`, of: name }), weight: 3 },
    fc.integer({ min: 1, max: 5 }).map((id) => ({ path: `/${delegateOf(name)}/${id}`, of: name })),
    ...(hasRelations(name)
      ? [
          fc
            .tuple(fc.integer({ min: 1, max: 5 }), relationField(name), fc.constantFrom('', 'relationships/'))
            .map(([id, relation, kind]) => ({ path: `/${delegateOf(name)}/${id}/${kind}${relation.name}`, of: relation.field.type })),
        ]
      : []),
  );
  return path.chain((target) =>
    fc
      // A rejected parameter hides the effects of the others.
      .oneof({ arbitrary: fc.array(parameter(target.of), { maxLength: 1 }), weight: 2 }, fc.array(parameter(target.of), { maxLength: 3 }))
      .map((all): OutgoingRequest => ({ method: 'GET', path: `/api/rest${target.path}?${all.join('&')}` })),
  );
}
