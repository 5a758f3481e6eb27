import { mayCombine } from '../../model/surface/rights.js';
import type { Attribute, Resource } from '../../model/surface/surface.js';
import { type AggregateDefinition, AGGREGATE, AGGREGATES, isComputable } from '../../prisma/aggregates.js';
import { isId } from '../../rest/projection/readable-members.js';
import type { RpcResult } from '../../rpc/protocol/rpc-operations.js';
import { type Components, serializationSchema, SHARED } from '../components.js';
import { arrayOf, described, type JsonSchema, nullable, objectOf } from '../json-schema.js';
import type { Reference } from '../open-api.js';
import { pascalCase } from '../operation-ids.js';
import type { ValueSchemas } from '../value-schemas.js';
import { readableRelations } from './rpc-selections.js';

/** Builds schemas of the results of operations. */
export class RpcResults {
  constructor(
    private readonly components: Components,
    private readonly values: ValueSchemas,
  ) {}

  /** Returns the body of a success: `{ data, meta? }`. */
  of(result: RpcResult, resource: Resource): Reference {
    const build = (): JsonSchema => this.envelope(this.#data[result](resource));
    if (result === 'affected') return this.components.schema('AffectedResult', SHARED, build);
    return this.components.schemaOf(resource, `${NAMES[result]}Result`, build);
  }

  envelope(data: JsonSchema): JsonSchema {
    const meta = this.components.shared('ResultMeta', { serialization: serializationSchema(this.components) }, ['serialization']);
    return objectOf({ data, meta }, ['data']);
  }

  readonly #data: Readonly<Record<RpcResult, (resource: Resource) => JsonSchema>> = {
    'rows': (resource) => arrayOf(this.#row(resource)),
    'row': (resource) => this.#row(resource),
    'row-or-null': (resource) => nullable(this.#row(resource)),
    'count': (resource) => ({ anyOf: [COUNT, this.#aggregate(resource, '_count', AGGREGATE._count)] }),
    'aggregate': (resource) => this.#aggregates(resource),
    'groups': (resource) => arrayOf(this.#group(resource)),
    'affected': () => objectOf({ count: COUNT }, ['count']),
  };

  /** Returns the schema of a group: the fields of `by`, and the aggregates. */
  #group(resource: Resource): JsonSchema {
    const readable = readableAttributes(resource);
    const fields = readable.every(mayCombine) ? this.#fields(resource) : [this.#members(readable.filter(mayCombine))];
    return { allOf: [...fields, this.#aggregates(resource)] };
  }

  /** Returns the schema of a record. No field is required, because a selection may omit it. */
  #row(resource: Resource): JsonSchema {
    return this.components.schemaOf(resource, '', () => {
      const relations = readableRelations(resource);
      const related = relations.map(
        ({ name, many, target }) => [name, many ? arrayOf(this.#row(target)) : nullable(this.#row(target))] as const,
      );
      const lists = relations.filter(({ many }) => many);
      const others = {
        ...Object.fromEntries(related),
        ...(lists.length > 0 && { _count: objectOf(Object.fromEntries(lists.map(({ name }) => [name, COUNT]))) }),
      };
      const fields = this.#fields(resource);
      return described({ allOf: relations.length > 0 || fields.length === 0 ? [...fields, objectOf(others)] : fields }, resource);
    });
  }

  /** Returns the schemas of the id and of the other fields, which a REST resource shares if it has the same. */
  #fields(resource: Resource): readonly JsonSchema[] {
    const readable = readableAttributes(resource);
    const [ids, others] = [readable.filter((field) => isId(resource, field)), readable.filter((field) => !isId(resource, field))];
    return [
      ...(ids.length > 0 ? [this.#members(ids)] : []),
      ...(others.length > 0 ? [this.components.commonSchema(`${resource.model}Attributes`, this.#members(others))] : []),
    ];
  }

  #members(attributes: readonly Attribute[]): JsonSchema {
    const members = attributes.map((attribute) => [attribute.name, described(this.values.field(attribute, 'answer'), attribute)] as const);
    return objectOf(Object.fromEntries(members));
  }

  #aggregates(resource: Resource): JsonSchema {
    return this.components.schemaOf(resource, 'Aggregates', () => {
      const results = [...AGGREGATES].map(([name, aggregate]) => {
        const result = this.#aggregate(resource, name, aggregate);
        return [name, name === '_count' ? { anyOf: [COUNT, result] } : result] as const;
      });
      return objectOf(Object.fromEntries(results));
    });
  }

  #aggregate(resource: Resource, name: string, aggregate: AggregateDefinition): JsonSchema {
    // `_min` and `_max` share a schema, because both have the type of the field.
    const suffix = name === '_min' || name === '_max' ? 'MinMaxAggregateOutput' : `${pascalCase(name)}AggregateOutput`;
    const readable = resource.attributes.filter((attribute) => mayCombine(attribute) && isComputable(aggregate, attribute));
    const valueOf = (attribute: Attribute): JsonSchema =>
      name === '_count' ? COUNT : this.values.result(attribute, aggregate.resultType(attribute));
    return this.components.schemaOf(resource, suffix, () =>
      objectOf({
        ...Object.fromEntries(readable.map((attribute) => [attribute.name, valueOf(attribute)])),
        ...(name === '_count' && { _all: COUNT }),
      }),
    );
  }
}

function readableAttributes({ attributes }: Resource): readonly Attribute[] {
  return attributes.filter(({ rights }) => rights.read);
}

const COUNT: JsonSchema = { type: 'integer', minimum: 0 };

const NAMES: Readonly<Record<RpcResult, string>> = {
  'rows': 'Rows',
  'row': 'Row',
  'row-or-null': 'RowOrNull',
  'count': 'Count',
  'aggregate': 'Aggregate',
  'groups': 'Groups',
  'affected': 'Affected',
};
