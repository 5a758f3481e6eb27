import { mayFilter } from '../../model/surface/rights.js';
import type { Attribute, Relationship, Resource } from '../../model/surface/surface.js';
import { EQUALS, FILTER_OPERATORS, type FilterOperator, LIST_EQUALS, suits } from '../../rest/parse/filter-operators.js';
import { memoizeByObject } from '../../utils/memoize-by-object.js';
import type { Components } from '../components.js';
import { type JsonSchema, type JsonSchemas, objectOf } from '../json-schema.js';
import type { Reference } from '../open-api.js';
import { pascalCase } from '../operation-ids.js';

/** Number of models from which on a field that all of them filter alike, e.g. `createdAt`, has one schema. */
const COMMON = 10;

/** The filters on fields of one name that have the same operands. */
interface FieldFilters {
  readonly member: string;
  /** The schemas of the operands by the names of the parameters. */
  readonly operands: JsonSchemas;
  /** The number of models that have them. */
  models: number;
}

/** Builds schemas of the query parameter `filter`. */
export class RestFilters {
  readonly #known = new Map<string, FieldFilters>();

  constructor(private readonly components: Components) {}

  /** Counts the filters on the fields of a resource. All resources are counted before the first schema is built. */
  count(resource: Resource): void {
    this.#fieldsOf(resource);
  }

  /** Returns the schema of the filters on resources of a type. */
  of(resource: Resource): Reference {
    return this.components.schemaOf(resource, 'Filter', () => this.#filters(resource));
  }

  #filters(resource: Resource): JsonSchema {
    const fields = this.#fieldsOf(resource);
    const [shared, own] = [fields.filter(isCommon), fields.filter((field) => !isCommon(field))];
    const mayAddress = resource.identifier.fields.every(({ rights }) => mayFilter(rights, 'equals'));
    const schema = objectOf({
      ...(mayAddress && !fields.some(({ operands }) => Object.hasOwn(operands, 'id')) && { id: ID }),
      ...Object.fromEntries(own.flatMap(({ operands }) => Object.entries(operands))),
      ...Object.fromEntries(resource.relationships.flatMap((relationship) => this.#onRelationship(relationship))),
    });
    return shared.length === 0 ? schema : { ...schema, allOf: shared.map((field) => this.#shared(field)) };
  }

  #shared(field: FieldFilters): Reference {
    return this.components.schema(`${pascalCase(field.member)}FieldFilter`, field, () => objectOf(field.operands));
  }

  readonly #fieldsOf = memoizeByObject(({ attributes, database }: Resource): readonly FieldFilters[] =>
    attributes.map((attribute) => this.#fieldFilters(attribute, database)).filter(({ operands }) => Object.keys(operands).length > 0),
  );

  /** Returns one object for all fields with the same filters. */
  #fieldFilters(attribute: Attribute, database: Resource['database']): FieldFilters {
    const operands = operandsOf(attribute, database);
    const text = JSON.stringify(operands);
    const filters = this.#known.get(text) ?? { member: attribute.member, operands, models: 0 };
    this.#known.set(text, filters);
    filters.models++;
    return filters;
  }

  /** Returns the filters on a relationship: by the related id, or by fields of the related resource. */
  #onRelationship({ member, rights, target }: Relationship): readonly (readonly [string, JsonSchema])[] {
    if (rights.filter === false || !target.actions.has('read')) return [];
    return [[member, { anyOf: [ID, this.of(target)] }]];
  }
}

function isCommon({ models }: FieldFilters): boolean {
  return models >= COMMON;
}

function operandsOf(attribute: Attribute, { provider }: Resource['database']): JsonSchemas {
  const operators = [attribute.list ? LIST_EQUALS : EQUALS, ...FILTER_OPERATORS.values()].filter(
    (operator) => suits(operator, attribute) && isOpen(operator, attribute) && !operator.lackedBy.has(provider),
  );
  return Object.fromEntries(operators.map((operator) => [nameParameter(attribute, operator), OPERANDS[operator.operand](attribute)]));
}

function nameParameter({ member }: Attribute, { name }: FilterOperator): string {
  return name === '' ? member : `${member}$${name}`;
}

function isOpen({ prisma }: FilterOperator, { rights }: Attribute): boolean {
  return prisma.every((operator) => mayFilter(rights, operator));
}

const ID: JsonSchema = { type: ['integer', 'string'] };

const TEXT: JsonSchema = { type: 'string' };

/** Schemas of operands. Several values are one text, separated by commas. */
const OPERANDS: Readonly<Record<FilterOperator['operand'], (attribute: Attribute) => JsonSchema>> = {
  any: ({ type }) => VALUES[type],
  list: () => TEXT,
  range: () => TEXT,
  flag: () => ({ type: 'boolean' }),
  null: () => ({ type: 'boolean' }),
};

const VALUES: Readonly<Record<Attribute['type'], JsonSchema>> = {
  String: TEXT,
  Boolean: { type: 'boolean' },
  Int: { type: ['integer', 'string'] },
  BigInt: { type: ['integer', 'string'] },
  Float: { type: ['number', 'string'] },
  Decimal: { type: ['number', 'string'] },
  DateTime: TEXT,
  Json: TEXT,
  Bytes: TEXT,
  Enum: TEXT,
};
