import { mayCombine, mayGroup } from '../../model/surface/rights.js';
import type { Attribute, Relationship, Resource, UniqueKey } from '../../model/surface/surface.js';
import type { ArgumentType, InputName } from '../../rpc/arguments/argument-planner.js';
import { type NestedWriteName, openNestedWrites, type WriteMode } from '../../rpc/arguments/nested-writes.js';
import { nestedWriteOf } from '../../rpc/arguments/plan-data.js';
import { writesOf } from '../../rpc/arguments/plan-new-value.js';
import { LOAD_STRATEGIES } from '../../rpc/arguments/plan-arguments.js';
import type { Components } from '../components.js';
import type { DocumentedApi } from '../described-api.js';
import { arrayOf, type JsonSchema, type JsonSchemas, objectOf, oneOrMany, withMembers } from '../json-schema.js';
import { isRequired, type ValueSchemas, writtenField } from '../value-schemas.js';
import { type AggregateName, computableFields, innerAggregate } from './inner-aggregate.js';
import { fieldTypeName, fieldTypeOwner, RpcFilters } from './rpc-filters.js';
import { RpcOrders } from './rpc-orders.js';

/** Builds schemas of arguments from the tables of the planners, with the names of Prisma's types. */
export class RpcInputs {
  readonly #filters: RpcFilters;
  readonly #orders: RpcOrders;
  readonly #nestedOwners = new Map<Resource, Map<string, object>>();

  constructor(
    private readonly components: Components,
    private readonly api: DocumentedApi,
    private readonly values: ValueSchemas,
  ) {
    this.#filters = new RpcFilters(components, values);
    this.#orders = new RpcOrders(components);
  }

  /** Returns the schema of an argument or of a part of one. */
  of(type: ArgumentType, resource: Resource): JsonSchema {
    if (typeof type === 'string') return this.#inputs[type](resource);
    switch (type.kind) {
      case 'one-or-many':
        return oneOrMany(this.of(type.of, resource));
      case 'either':
        return { anyOf: type.of.map((one) => this.of(one, resource)) };
      case 'parts': {
        return this.components.schemaOf(resource, type.name, () => {
          const parts = Object.entries(type.parts).map(([name, part]) => [name, this.of(part, resource)] as const);
          return objectOf(Object.fromEntries(parts), type.required);
        });
      }
    }
  }

  readonly #inputs: Readonly<Record<InputName, (resource: Resource) => JsonSchema>> = {
    'where': (resource) => this.components.schemaOf(resource, 'WhereInput', () => this.#where(resource, 'WhereInput')),
    'scalar-where': (resource) => this.components.schemaOf(resource, 'ScalarWhereInput', () => this.#where(resource, 'ScalarWhereInput')),
    'unique-where': (resource) => this.components.schemaOf(resource, 'WhereUniqueInput', () => this.#uniqueWhere(resource)),
    'cursor': (resource) => this.components.schemaOf(resource, 'CursorInput', () => objectOf(this.#keys(resource))),
    'order': (resource) => oneOrMany(this.#orders.of(resource)),
    'group-order': (resource) => oneOrMany(this.#orders.ofGroups(resource)),
    'having': (resource) => this.components.schemaOf(resource, 'ScalarWhereWithAggregatesInput', () => this.#having(resource)),
    'field-names': (resource) => oneOrMany(this.components.schemaOf(resource, 'ScalarFieldEnum', () => fieldNames(resource))),
    'create-data': (resource) =>
      this.components.schemaOf(resource, 'CreateInput', () =>
        withMembers(this.of('create-many-data', resource), this.#nestedWritesOf(resource, 'create')),
      ),
    'create-many-data': (resource) => this.components.schemaOf(resource, 'CreateManyInput', () => this.#data(resource, 'create')),
    'update-data': (resource) =>
      this.components.schemaOf(resource, 'UpdateInput', () =>
        withMembers(this.of('update-many-data', resource), this.#nestedWritesOf(resource, 'update')),
      ),
    'update-many-data': (resource) => this.components.schemaOf(resource, 'UpdateManyMutationInput', () => this.#data(resource, 'update')),
    'count-aggregate': (resource) => ({ anyOf: [{ type: 'boolean' }, this.#aggregate(resource, '_count')] }),
    'aggregate-avg': (resource) => this.#aggregate(resource, '_avg'),
    'aggregate-sum': (resource) => this.#aggregate(resource, '_sum'),
    'aggregate-min': (resource) => this.#aggregate(resource, '_min'),
    'aggregate-max': (resource) => this.#aggregate(resource, '_max'),
    'take': () => ({ type: 'integer', description: 'Rows from the front, or with a minus from the back.' }),
    'count': () => ({ type: 'integer', minimum: 0 }),
    'flag': () => ({ type: 'boolean' }),
    'load-strategy': () => ({ type: 'string', enum: LOAD_STRATEGIES }),
  };

  #where(resource: Resource, name: 'WhereInput' | 'ScalarWhereInput'): JsonSchema {
    const same = this.of(name === 'WhereInput' ? 'where' : 'scalar-where', resource);
    const relations = name === 'WhereInput' ? this.#relationConditions(resource) : {};
    const fields = this.components.schemaOf(resource, 'WhereFields', () => objectOf(this.#conditions(resource)));
    return { allOf: [fields, objectOf({ ...connectives(same), ...relations })] };
  }

  #conditions({ attributes }: Resource): JsonSchemas {
    const open = attributes.filter(({ rights }) => rights.filter !== false);
    return Object.fromEntries(open.map((attribute) => [attribute.name, this.#filters.condition(attribute)]));
  }

  #relationConditions({ relationships }: Resource): JsonSchemas {
    const open = relationships.filter(({ rights, target }) => rights.filter !== false && target.actions.has('read'));
    return Object.fromEntries(open.map((relation) => [relation.name, this.#relationCondition(relation)]));
  }

  /** Returns the filter on a relation. All relations to a model share it, with the name of Prisma's type. */
  #relationCondition({ many, optional, target }: Relationship): JsonSchema {
    const suffix = many ? 'ListRelationFilter' : optional ? 'NullableScalarRelationFilter' : 'ScalarRelationFilter';
    return this.components.schemaOf(target, suffix, () => {
      const where = this.of('where', target);
      if (many) return objectOf({ some: where, every: where, none: where });
      const noneOr = optional ? { anyOf: [where, { type: 'null' } as const] } : where;
      return { anyOf: [where, objectOf({ is: noneOr, isNot: noneOr }), ...(optional ? [{ type: 'null' } as const] : [])] };
    });
  }

  #uniqueWhere(resource: Resource): JsonSchema {
    const keys = [...resource.uniqueKeys.keys()];
    return {
      allOf: [this.of('where', resource), objectOf(this.#keys(resource))],
      description: `Names one record by ${keys.map((key) => `\`${key}\``).join(' or ')}; further conditions may stand beside.`,
    };
  }

  #keys({ uniqueKeys }: Resource): JsonSchemas {
    return Object.fromEntries([...uniqueKeys].map(([name, key]) => [name, this.#key(name, key)]));
  }

  #key(name: string, { fields }: UniqueKey): JsonSchema {
    const [first, ...others] = fields;
    if (first?.name === name && others.length === 0) return this.values.element(first, 'input');
    const parts = fields.map((field) => [field.name, this.values.element(field, 'input')] as const);
    return objectOf(
      Object.fromEntries(parts),
      fields.map((field) => field.name),
    );
  }

  #having(resource: Resource): JsonSchema {
    const open = resource.attributes.filter(({ rights }) => rights.filter !== false);
    return objectOf({
      ...connectives(this.of('having', resource)),
      ...Object.fromEntries(open.map((attribute) => [attribute.name, this.#filters.groupCondition(attribute)])),
    });
  }

  #aggregate(resource: Resource, name: AggregateName): JsonSchema {
    return this.components.schemaOf(resource, `${AGGREGATE_INPUTS[name]}AggregateInput`, () => {
      const fields = resource.attributes.filter(mayCombine);
      const inner = innerAggregate(name, fields);
      const shared = inner === undefined ? [] : computableFields(inner, fields);
      const others = computableFields(name, fields).filter((field) => !shared.includes(field));
      const own = [...others.map((field) => field.name), ...(name === '_count' ? ['_all'] : [])];
      return withMembers(
        inner && this.#aggregate(resource, inner),
        own.map((field) => [field, { type: 'boolean' }]),
      );
    });
  }

  #data(resource: Resource, mode: WriteMode): JsonSchema {
    const shape = this.api.shapeOf(resource, mode);
    const attributes = resource.attributes.filter(({ rights }) => rights[mode]);
    const written = attributes.map((attribute) => {
      const value = writtenField(attribute, this.values, shape);
      return [attribute.name, mode === 'update' ? this.#change(attribute, value, shape.fields.has(attribute.name)) : value] as const;
    });
    const required = mode === 'create' ? attributes.filter((attribute) => isRequired(attribute, shape)).map(({ name }) => name) : [];
    return objectOf(Object.fromEntries(written), required);
  }

  #nestedWritesOf({ relationships }: Resource, mode: WriteMode): readonly (readonly [string, JsonSchema])[] {
    const open = relationships
      .filter(({ rights }) => rights[mode])
      .map((relation) => [relation, openNestedWrites(relation, mode)] as const)
      .filter(([, writes]) => writes.length > 0);
    return open.map(([relation, writes]) => [relation.name, this.#nestedWrites(relation, writes, mode)]);
  }

  /** Returns the schema of a change: a new value, or one operation on the stored value. A validator narrows the new value. */
  #change(attribute: Attribute, value: JsonSchema, isNarrowed: boolean): JsonSchema {
    if (attribute.type === 'Json' && !attribute.list) return value;
    const build = (given: JsonSchema): JsonSchema => ({
      anyOf: [
        given,
        {
          ...objectOf(Object.fromEntries([...writesOf(attribute).keys()].map((name) => [name, this.#operand(attribute, name)]))),
          maxProperties: 1,
        },
      ],
    });
    if (isNarrowed) return build(value);
    const change = this.components.schema(fieldTypeName(attribute, 'FieldUpdateOperationsInput'), fieldTypeOwner(attribute), () =>
      build(this.values.field(attribute, 'input')),
    );
    return { ...change, ...(value.description !== undefined && { description: value.description }) };
  }

  #operand(attribute: Attribute, write: string): JsonSchema {
    if (write === 'set') return this.values.field(attribute, 'input');
    const element = this.values.element(attribute, 'input');
    return write === 'push' ? oneOrMany(element) : element;
  }

  /** Returns the schema of nested writes. Relations to one model with the same writes share it. */
  #nestedWrites(relationship: Relationship, writes: readonly NestedWriteName[], mode: WriteMode): JsonSchema {
    const { target, many } = relationship;
    const suffix = `${mode === 'create' ? 'Create' : 'Update'}Nested${many ? 'Many' : 'One'}Input`;
    return this.components.schema(`${target.model}${suffix}`, this.#ownerOf(target, writes), () => {
      // An update has each of the writes that a create has.
      const shared = mode === 'update' ? openNestedWrites(relationship, 'create') : [];
      const others = writes.filter((write) => !shared.includes(write));
      const operands = others.map((write) => [write, this.of(nestedWriteOf(relationship, write).takes, target)] as const);
      return shared.length === 0
        ? objectOf(Object.fromEntries(operands))
        : withMembers(this.#nestedWrites(relationship, shared, 'create'), operands);
    });
  }

  /** Returns one owner for each set of nested writes of a model, because relations to it may have different rights. */
  #ownerOf(target: Resource, writes: readonly string[]): object {
    const own = this.#nestedOwners.get(target) ?? new Map<string, object>();
    this.#nestedOwners.set(target, own);
    const owner = own.get(writes.join()) ?? {};
    own.set(writes.join(), owner);
    return owner;
  }
}

/** Names of the inputs of aggregate functions. Functions on the same fields share a name. */
const AGGREGATE_INPUTS: Readonly<Record<AggregateName, string>> = {
  _count: 'Count',
  _avg: 'AvgSum',
  _sum: 'AvgSum',
  _min: 'MinMax',
  _max: 'MinMax',
};

function fieldNames({ attributes }: Resource): JsonSchema {
  return { type: 'string', enum: attributes.filter(mayGroup).map(({ name }) => name) };
}

function connectives(same: JsonSchema): JsonSchemas {
  return { AND: oneOrMany(same), OR: arrayOf(same), NOT: oneOrMany(same) };
}
