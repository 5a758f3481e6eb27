import type { Attribute, Resource } from '../../model/surface/surface.js';
import { AGGREGATE } from '../../prisma/aggregates.js';
import { once } from '../../utils/memoize-by-object.js';
import { type Components, SHARED } from '../components.js';
import { type JsonSchema, objectOf, withMembers } from '../json-schema.js';
import type { Reference } from '../open-api.js';
import { type AggregateName, computableFields, innerAggregate } from './inner-aggregate.js';

/** Builds schemas of orders, with the names of Prisma's types. */
export class RpcOrders {
  constructor(private readonly components: Components) {}

  /** Returns the schema of one member of `orderBy`. */
  of(resource: Resource): Reference {
    return this.components.schemaOf(resource, 'OrderByWithRelationInput', () => {
      const relations = resource.relationships.filter(({ rights, target }) => rights.sort && target.actions.has('read'));
      const paths = relations.map(({ name, many, target }) => [name, many ? objectOf({ _count: this.#sort() }) : this.of(target)] as const);
      return { ...withMembers(this.#fields(resource), paths), maxProperties: 1 };
    });
  }

  /** Returns the schema of one member of the `orderBy` of groups. */
  ofGroups(resource: Resource): Reference {
    return this.components.schemaOf(resource, 'OrderByWithAggregationInput', () => {
      const names = Object.keys(AGGREGATE) as readonly AggregateName[];
      const aggregates = names.map((name) => [name, this.#aggregate(resource, name)] as const);
      return { ...withMembers(this.#fields(resource), aggregates), maxProperties: 1 };
    });
  }

  #fields(resource: Resource): JsonSchema {
    return this.components.schemaOf(resource, 'OrderByFields', () =>
      objectOf(Object.fromEntries(sortable(resource).map((attribute) => [attribute.name, this.#direction(attribute)]))),
    );
  }

  /** Returns the order by an aggregate function. Functions on the same fields share a schema. */
  #aggregate(resource: Resource, name: AggregateName): JsonSchema {
    const fields = sortable(resource);
    const all = computableFields(name, fields);
    if (all.length === 0) return { type: 'object', maxProperties: 0 };
    const inner = innerAggregate(name, fields);
    const shared = inner === undefined ? [] : computableFields(inner, fields);
    if (inner !== undefined && shared.length === all.length) return this.#aggregate(resource, inner);
    return this.components.schemaOf(resource, `${AGGREGATE_ORDERS[name]}OrderByAggregateInput`, () => {
      const others = all.filter((field) => !shared.includes(field)).map((field) => [field.name, this.#sort()] as const);
      return { ...withMembers(inner && this.#aggregate(resource, inner), others), maxProperties: 1 };
    });
  }

  #direction({ optional }: Attribute): JsonSchema {
    return optional ? this.#sortOrNulls() : this.#sort();
  }

  readonly #sortOrNulls = once((): JsonSchema =>
    this.components.schema('SortOrderInput', SHARED, () => {
      const nulls: JsonSchema = { type: 'string', enum: ['first', 'last'] };
      return { anyOf: [this.#sort(), objectOf({ sort: this.#sort(), nulls }, ['sort'])] };
    }),
  );

  readonly #sort = once((): JsonSchema => this.components.schema('SortOrder', SHARED, () => ({ type: 'string', enum: ['asc', 'desc'] })));
}

/** Names of the orders by aggregate functions. Functions on the same fields share a name. */
const AGGREGATE_ORDERS: Readonly<Record<AggregateName, string>> = {
  _count: 'Count',
  _avg: 'Numeric',
  _sum: 'Numeric',
  _min: 'Ordered',
  _max: 'Ordered',
};

function sortable({ attributes }: Resource): readonly Attribute[] {
  return attributes.filter(({ rights }) => rights.sort);
}
