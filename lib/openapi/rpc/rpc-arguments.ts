import type { Resource } from '../../model/surface/surface.js';
import type { NamedOperation } from '../../rpc/arguments/exposed-operations.js';
import { argumentsOf } from '../../rpc/arguments/plan-arguments.js';
import { RPC_OPERATIONS, returnsWrittenRows, takesSelection } from '../../rpc/protocol/rpc-operations.js';
import { memoizeByObject } from '../../utils/memoize-by-object.js';
import { type Components, serializationSchema, SHARED } from '../components.js';
import type { DocumentedApi } from '../described-api.js';
import { type JsonSchema, objectOf } from '../json-schema.js';
import type { Reference } from '../open-api.js';
import { pascalCase } from '../operation-ids.js';
import { exampleArguments } from './example-arguments.js';
import type { RpcInputs } from './rpc-inputs.js';
import { RpcSelections } from './rpc-selections.js';

/** Keys that several operations have together, by the name of the schema that they share. */
const SHARED_KEYS = {
  RowsArgs: ['where', 'orderBy', 'cursor', 'take', 'skip'],
  AggregatesArgs: ['_count', '_avg', '_sum', '_min', '_max'],
} as const;

/** Builds schemas of the arguments of operations. */
export class RpcArguments {
  readonly #selections: RpcSelections;

  constructor(
    private readonly components: Components,
    private readonly api: DocumentedApi,
    private readonly inputs: RpcInputs,
  ) {
    this.#selections = new RpcSelections(components, inputs);
  }

  /** Returns the schema of the argument object. In a body it also has `meta`. */
  of(resource: Resource, operation: NamedOperation): JsonSchema {
    return this.components.schemaOf(resource, argumentsName(operation), () => {
      const { name, required, input } = operation;
      const keys = [...argumentsOf(name).keys()];
      const shared = Object.entries<readonly string[]>(SHARED_KEYS).filter(([, all]) => all.every((key) => keys.includes(key)));
      const others = keys.filter((key) => !shared.some(([, all]) => all.includes(key)));
      const meta = input === 'body' ? { meta: this.meta() } : {};
      const own = objectOf({ ...this.#members(resource, name, others), ...meta }, required);
      const parts = [
        ...shared.map(([suffix, all]) => this.components.schemaOf(resource, suffix, () => objectOf(this.#members(resource, name, all)))),
        ...(Object.keys(own.properties ?? {}).length > 0 ? [own] : []),
        ...this.#selection(resource, operation),
      ];
      // The example is part of the schema, because Swagger UI ignores examples of a JSON parameter.
      return { ...(parts.length > 1 ? { allOf: parts } : own), examples: [exampleArguments(operation, resource, this.api)] };
    });
  }

  /** Returns the schema of `meta`, for values that JSON lacks. */
  meta(): Reference {
    const serialization = serializationSchema(this.components);
    return this.components.schema('ArgumentMeta', SHARED, () => ({ ...objectOf({ serialization }), examples: [{}] }));
  }

  #members(resource: Resource, operation: NamedOperation['name'], keys: readonly string[]): Readonly<Record<string, JsonSchema>> {
    const all = [...argumentsOf(operation)].filter(([key]) => keys.includes(key));
    return Object.fromEntries(all.map(([key, { takes }]) => [key, this.inputs.of(takes, resource)] as const));
  }

  /**
   * Returns the schema of `select`, `include` and `omit`. It is not the one of related records: Swagger UI shows those by their names only.
   */
  #selection(resource: Resource, operation: NamedOperation): readonly Reference[] {
    if (!takesSelection(operation) || !resource.actions.has('read')) return [];
    const ofWrittenRows = returnsWrittenRows(operation);
    return [
      this.components.schemaOf(resource, ofWrittenRows ? 'ManyAndReturnDefaultArgs' : 'SelectionArgs', () =>
        objectOf(this.#selections.of(resource, { ofWrittenRows })),
      ),
    ];
  }
}

/** Returns the name of the schema of an operation's arguments. Operations with the same arguments share that of the first. */
const argumentsName = memoizeByObject((operation: NamedOperation): string => {
  const { input, arguments: keys, required } = operation;
  const alike = Object.values<NamedOperation>(RPC_OPERATIONS).find(
    (other) => other.input === input && other.arguments === keys && other.required.join() === required.join(),
  );
  return `${pascalCase((alike ?? operation).name)}Args`;
});
