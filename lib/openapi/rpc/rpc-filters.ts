import { mayFilter } from '../../model/surface/rights.js';
import type { Attribute } from '../../model/surface/surface.js';
import { AGGREGATES, isComputable } from '../../prisma/aggregates.js';
import { groupOperatorsOf } from '../../prisma/read-having.js';
import { JSON_OPERATORS } from '../../prisma/read-json-filter.js';
import { LIST_OPERATORS } from '../../prisma/read-list-filter.js';
import type { OperandType, Operators } from '../../prisma/read-operators.js';
import { hasOperator } from '../../prisma/require-comparison.js';
import { MODES, operatorsOf } from '../../prisma/read-scalar-filter.js';
import { memoizeByObject } from '../../utils/memoize-by-object.js';
import { type Components, SHARED } from '../components.js';
import { arrayOf, type JsonSchema, nullable, objectOf, oneOrMany } from '../json-schema.js';
import { resultAttribute, type ValueSchemas } from '../value-schemas.js';

/** Builds schemas of field filters from the tables of operators. Fields of one type share a schema with the name of Prisma's type. */
export class RpcFilters {
  constructor(
    private readonly components: Components,
    private readonly values: ValueSchemas,
  ) {}

  /** Returns the schema of a condition in `where`. */
  readonly condition = memoizeByObject((attribute: Attribute) =>
    this.#shared(attribute, { suffix: 'Filter', operatorsOf: whereOperators }),
  );

  /** Returns the schema of a condition in `having`. */
  readonly groupCondition = memoizeByObject((attribute: Attribute) =>
    this.#shared(attribute, { suffix: 'WithAggregatesFilter', operatorsOf: groupOperatorsOf }),
  );

  /** Returns the shared schema of a type, or a separate one for a field with only some of the operators. */
  #shared(attribute: Attribute, filter: FilterKind): JsonSchema {
    const build = (): JsonSchema => this.#filter(attribute, filter);
    return attribute.rights.filter === true
      ? this.components.schema(fieldTypeName(attribute, filter.suffix), fieldTypeOwner(attribute), build)
      : build();
  }

  #filter(attribute: Attribute, filter: FilterKind): JsonSchema {
    const open = [...filter.operatorsOf(attribute)].filter(([name]) => isOffered(attribute, name));
    const operators = objectOf(
      Object.fromEntries(open.map(([name, { takes }]) => [name, this.#operands[takes](attribute, { ...filter, operator: name })])),
    );
    const hasShortForm = !attribute.list && attribute.type !== 'Json' && isOffered(attribute, 'equals');
    return hasShortForm ? { anyOf: [this.values.field(attribute, 'input'), operators] } : operators;
  }

  readonly #operands: Readonly<
    Record<OperandType, (attribute: Attribute, filter: FilterKind & { readonly operator: string }) => JsonSchema>
  > = {
    'value': (attribute) => this.values.element(attribute, 'input'),
    'nullable': (attribute) => this.#nullable(attribute),
    'values': (attribute) => arrayOf(this.values.element(attribute, 'input')),
    // Only one level is described, although Prisma accepts `not` at any depth.
    'filter': (attribute) => ({ anyOf: [this.#nullable(attribute), { type: 'object' }] }),
    'text': () => ({ type: 'string' }),
    'mode': () => ({ type: 'string', enum: MODES }),
    'flag': () => ({ type: 'boolean' }),
    'path': () => oneOrMany({ type: 'string' }),
    'json': () => ({}),
    'ordered-json': () => ({ type: ['number', 'string'] }),
    'result': (attribute, { operator }) => this.#result(attribute, operator),
  };

  #nullable(attribute: Attribute): JsonSchema {
    const element = this.values.element(attribute, 'input');
    return attribute.optional ? nullable(element) : element;
  }

  /** Returns the filter on an aggregate function's result, which is a filter of the result's type. */
  #result(attribute: Attribute, operator: string): JsonSchema {
    const type = AGGREGATES.get(operator)?.resultType(attribute) ?? attribute.type;
    return this.condition(resultAttribute(attribute, type));
  }
}

interface FilterKind {
  readonly suffix: string;
  readonly operatorsOf: (attribute: Attribute) => Operators;
}

function isOffered(attribute: Attribute, name: string): boolean {
  if (name === 'mode') return attribute.lacks?.has('folding') !== true;
  const aggregate = AGGREGATES.get(name);
  return aggregate ? isComputable(aggregate, attribute) : mayFilter(attribute.rights, name) && hasOperator(attribute, name);
}

function whereOperators(attribute: Attribute): Operators {
  if (attribute.list) return LIST_OPERATORS;
  return attribute.type === 'Json' ? JSON_OPERATORS : operatorsOf(attribute);
}

/**
 * Returns the name of a schema that all fields of one type share, as Prisma names such
 * types: `StringNullableFilter`, `IntListFilter`, `EnumRoleFilter`.
 */
export function fieldTypeName({ type, list, optional, enumName = '', nativeType }: Attribute, suffix: string): string {
  const base =
    type === 'Enum' ? `Enum${enumName}` : `${type}${type === 'String' || type === 'DateTime' ? (nativeType ?? []).flat().join('') : ''}`;
  return `${base}${list ? 'List' : ''}${optional && !list ? 'Nullable' : ''}${suffix}`;
}

/** Returns the owner of such a schema, because two Prisma schemas of one application may have different enums of one name. */
export function fieldTypeOwner({ enumValues }: Attribute): object {
  return enumValues ?? SHARED;
}
