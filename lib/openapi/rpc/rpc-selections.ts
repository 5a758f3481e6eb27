import type { Relationship, Resource } from '../../model/surface/surface.js';
import { isReturned } from '../../rpc/arguments/is-returned.js';
import { relationArguments } from '../../rpc/arguments/plan-selection.js';
import type { Components } from '../components.js';
import { type JsonSchema, type JsonSchemas, objectOf } from '../json-schema.js';
import type { RpcInputs } from './rpc-inputs.js';

/** Builds schemas of `select`, `include` and `omit`. */
export class RpcSelections {
  constructor(
    private readonly components: Components,
    private readonly inputs: RpcInputs,
  ) {}

  /**
   * Returns the three keys for an operation on this resource or for a selected relation to it. Rows that
   * `createManyAndReturn` and `updateManyAndReturn` return have no lists.
   */
  of(resource: Resource, { ofWrittenRows } = { ofWrittenRows: false }): JsonSchemas {
    const readable = readableRelations(resource);
    const relations = ofWrittenRows ? readable.filter(isReturned) : readable;
    const suffix = relations.length < readable.length ? 'ManyAndReturn' : '';
    const omit = this.components.schemaOf(resource, 'Omit', () => objectOf(flags(resource)));
    if (relations.length === 0) return { select: this.components.schemaOf(resource, `Select${suffix}`, () => omit), omit };
    const include = this.components.schemaOf(resource, `Include${suffix}`, () => objectOf(this.#relations(resource, relations)));
    return { select: this.components.schemaOf(resource, `Select${suffix}`, () => ({ allOf: [omit, include] })), include, omit };
  }

  #relations(resource: Resource, relations: readonly Relationship[]): JsonSchemas {
    const lists = relations.filter(({ many }) => many);
    return {
      ...Object.fromEntries(relations.map((relation) => [relation.name, this.#relation(relation)])),
      ...(lists.length > 0 && { _count: { anyOf: [FLAG, objectOf({ select: this.#counts(resource, lists) }, ['select'])] } }),
    };
  }

  #counts(resource: Resource, lists: readonly Relationship[]): JsonSchema {
    return this.components.schemaOf(resource, 'CountSelect', () => {
      const counts = lists.map(
        ({ name, target }) => [name, { anyOf: [FLAG, objectOf({ where: this.inputs.of('where', target) })] }] as const,
      );
      return objectOf(Object.fromEntries(counts));
    });
  }

  /** Returns the schema of a selected relation: `true`, or the arguments of the related rows. */
  #relation(relation: Relationship): JsonSchema {
    const { target, many, optional } = relation;
    const kind = many ? 'List' : optional ? 'Optional' : '';
    const args = this.components.schemaOf(target, `${kind}DefaultArgs`, () => {
      const own = [...relationArguments(relation)].map(([name, { takes }]) => [name, this.inputs.of(takes, target)] as const);
      return objectOf({ ...this.of(target), ...Object.fromEntries(own) });
    });
    return { anyOf: [FLAG, args] };
  }
}

const FLAG: JsonSchema = { type: 'boolean' };

function flags({ attributes }: Resource): JsonSchemas {
  return Object.fromEntries(attributes.filter(({ rights }) => rights.read).map(({ name }) => [name, FLAG]));
}

/** Returns the relations whose rows may be in a result. */
export function readableRelations({ relationships }: Resource): readonly Relationship[] {
  return relationships.filter(({ rights, target }) => rights.read && target.actions.has('read'));
}
