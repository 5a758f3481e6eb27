import { mayCombine } from '../../model/surface/rights.js';
import type { Attribute, Resource } from '../../model/surface/surface.js';
import { type Aggregate, AGGREGATE, AGGREGATES } from '../../prisma/aggregates.js';
import type { RpcResult } from '../../rpc/rpc-operations.js';
import type { Components } from '../components.js';
import { SHARED } from '../components.js';
import { arrayOf, type JsonSchema, type JsonSchemas, nullable, objectOf } from '../json-schema.js';
import type { Reference } from '../open-api.js';
import { pascalCase } from '../pascal-case.js';
import { serializationSchema } from '../serialization-schema.js';
import type { ValueSchemas } from '../value-schemas.js';
import { readableRelations } from './rpc-selections.js';

/** Schemas of what operations give back. */
export class RpcResults {
  constructor(
    private readonly components: Components,
    private readonly values: ValueSchemas,
  ) {}

  /** The body of a success: `{ data, meta? }`. */
  of(result: RpcResult, resource: Resource): Reference {
    const build = (): JsonSchema => this.envelope(this.#data[result](resource));
    if (result === 'affected') return this.components.schema('AffectedResult', SHARED, build);
    return this.components.schema(`${resource.model}${NAMES[result]}Result`, resource, build);
  }

  envelope(data: JsonSchema): JsonSchema {
    const meta = this.components.schema('ResultMeta', SHARED, () =>
      objectOf({ serialization: serializationSchema(this.components) }, ['serialization']),
    );
    return objectOf({ data, meta }, ['data']);
  }

  readonly #data: Readonly<Record<RpcResult, (resource: Resource) => JsonSchema>> = {
    'rows': (resource) => arrayOf(this.#row(resource)),
    'row': (resource) => this.#row(resource),
    'row-or-null': (resource) => nullable(this.#row(resource)),
    'count': (resource) => ({ anyOf: [COUNT, this.#aggregate(resource, '_count', AGGREGATE._count)] }),
    'aggregate': (resource) => objectOf(this.#aggregates(resource)),
    'groups': (resource) => arrayOf(this.#group(resource)),
    'affected': () => objectOf({ count: COUNT }, ['count']),
  };

  /** One group: the fields of `by`, and the aggregates. */
  #group(resource: Resource): JsonSchema {
    return objectOf({ ...this.#attributes(resource.attributes.filter(mayCombine)), ...this.#aggregates(resource) });
  }

  /** A record: the fields that the selection leaves. */
  #row(resource: Resource): JsonSchema {
    return this.components.schema(resource.model, resource, () => {
      const relations = readableRelations(resource);
      const related = relations.map(
        ({ name, many, target }) => [name, many ? arrayOf(this.#row(target)) : nullable(this.#row(target))] as const,
      );
      const lists = relations.filter(({ many }) => many);
      return {
        ...objectOf({
          ...this.#attributes(resource.attributes),
          ...Object.fromEntries(related),
          ...(lists.length > 0 && { _count: objectOf(Object.fromEntries(lists.map(({ name }) => [name, COUNT]))) }),
        }),
        ...(resource.documentation !== undefined && { description: resource.documentation }),
      };
    });
  }

  #attributes(attributes: readonly Attribute[]): JsonSchemas {
    const readable = attributes.filter(({ rights }) => rights.read);
    return Object.fromEntries(readable.map((attribute) => [attribute.name, this.#value(attribute)]));
  }

  #value(attribute: Attribute): JsonSchema {
    const { documentation } = attribute;
    return { ...this.values.field(attribute, 'answer'), ...(documentation !== undefined && { description: documentation }) };
  }

  #aggregates(resource: Resource): JsonSchemas {
    return Object.fromEntries(
      [...AGGREGATES].map(([name, aggregate]) => {
        const result = this.#aggregate(resource, name, aggregate);
        return [name, name === '_count' ? { anyOf: [COUNT, result] } : result];
      }),
    );
  }

  #aggregate(resource: Resource, name: string, { takes, resultType }: Aggregate): JsonSchema {
    // The smallest and the largest value of a field have its type.
    const suffix = name === '_min' || name === '_max' ? 'MinMaxAggregateOutput' : `${pascalCase(name)}AggregateOutput`;
    const readable = resource.attributes.filter((attribute) => mayCombine(attribute) && takes(attribute));
    const result = this.components.schema(`${resource.model}${suffix}`, resource, () => {
      if (name === '_count') return objectOf({ ...counts(readable), _all: COUNT });
      const fields = readable.map((attribute) => [attribute.name, this.values.result(attribute, resultType(attribute))] as const);
      return objectOf(Object.fromEntries(fields));
    });
    return result;
  }
}

const COUNT: JsonSchema = { type: 'integer', minimum: 0 };

function counts(attributes: readonly Attribute[]): JsonSchemas {
  return Object.fromEntries(attributes.map(({ name }) => [name, COUNT]));
}

const NAMES: Readonly<Record<RpcResult, string>> = {
  'rows': 'Rows',
  'row': 'Row',
  'row-or-null': 'RowOrNull',
  'count': 'Count',
  'aggregate': 'Aggregate',
  'groups': 'Groups',
  'affected': 'Affected',
};
