import { mayFilter } from '../../model/surface/rights.js';
import type { Attribute, Relationship, Resource, Surface } from '../../model/surface/surface.js';
import { EQUALS, FILTER_OPERATORS, type FilterOperator, LIST_EQUALS, suits } from '../../rest/parse/filter-operators.js';
import { memoizeByObject, once } from '../../utils/memoize-by-object.js';
import type { Components } from '../components.js';
import { type JsonSchema, type JsonSchemas, objectOf } from '../json-schema.js';
import type { Reference } from '../open-api.js';
import { pascalCase } from '../operation-ids.js';

/** Number of models from which on a field that all of them filter alike, e.g. `createdAt`, has one schema. */
const COMMON = 10;

/** The filters on one field. */
interface FieldFilters {
  readonly member: string;
  /** The schemas of the operands by the names of the parameters. */
  readonly operands: JsonSchemas;
  readonly text: string;
}

/** Builds schemas of the query parameter `filter`. */
export class RestFilters {
  constructor(
    private readonly components: Components,
    private readonly surface: Surface,
  ) {}

  /** Returns the schema of the filters on resources of a type. */
  of(resource: Resource): Reference {
    return this.components.schemaOf(resource, 'Filter', () => this.#filters(resource));
  }

  #filters(resource: Resource): JsonSchema {
    const fields = this.#fieldsOf(resource);
    const own = fields.filter(({ text }) => !this.#common().has(text));
    const mayAddress = resource.identifier.fields.every(({ rights }) => mayFilter(rights, 'equals'));
    const shared = fields.flatMap((field) => this.#shared(field));
    const schema = objectOf({
      ...(mayAddress && !fields.some(({ operands }) => Object.hasOwn(operands, 'id')) && { id: ID }),
      ...Object.fromEntries(own.flatMap(({ operands }) => Object.entries(operands))),
      ...Object.fromEntries(resource.relationships.flatMap((relationship) => this.#onRelationship(relationship))),
    });
    return shared.length === 0 ? schema : { ...schema, allOf: shared };
  }

  /** Returns a reference to the filters on a field, if many models have the same. */
  #shared({ member, operands, text }: FieldFilters): readonly Reference[] {
    const owner = this.#common().get(text);
    return owner ? [this.components.schema(`${pascalCase(member)}FieldFilter`, owner, () => objectOf(operands))] : [];
  }

  /** Returns an owner for each of the filters that {@link COMMON} models have, by its text. */
  readonly #common = once((): ReadonlyMap<string, object> => {
    const counts = new Map<string, number>();
    const all = this.surface.resources.flatMap((resource) => this.#fieldsOf(resource));
    for (const { text } of all) counts.set(text, (counts.get(text) ?? 0) + 1);
    return new Map([...counts].filter(([, count]) => count >= COMMON).map(([text]) => [text, {}]));
  });

  readonly #fieldsOf = memoizeByObject(({ attributes, database }: Resource): readonly FieldFilters[] =>
    attributes
      .map((attribute) => ({ member: attribute.member, operands: operandsOf(attribute, database) }))
      .filter(({ operands }) => Object.keys(operands).length > 0)
      .map((field) => ({ ...field, text: JSON.stringify(field.operands) })),
  );

  /** Returns the filters on a relationship: by the related id, or by fields of the related resource. */
  #onRelationship({ member, rights, target }: Relationship): readonly (readonly [string, JsonSchema])[] {
    if (rights.filter === false || !target.actions.has('read')) return [];
    return [[member, { anyOf: [ID, this.of(target)] }]];
  }
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
