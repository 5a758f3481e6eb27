import { memberOf } from '../errors/member-of.js';

/** Assigns a unique id to every operation of a document. Code generators use it as the name of a function. */
export class OperationIds {
  readonly #taken: Set<string>;

  constructor(reserved: Iterable<string> = []) {
    this.#taken = new Set(reserved);
  }

  reserve(wanted: string): string {
    let id = wanted;
    for (let number = 2; this.#taken.has(id); number++) id = `${wanted}${number}`;
    this.#taken.add(id);
    return id;
  }
}

/** Returns the operation ids of a document. */
export function operationIdsOf(document: object): readonly string[] {
  const items: readonly unknown[] = Object.values(memberOf(document, 'paths') ?? {});
  const operations = items.flatMap((item): readonly unknown[] => Object.values(item ?? {}));
  return operations.map((operation) => memberOf(operation, 'operationId')).filter((id) => typeof id === 'string');
}

/** Converts a member name to a part of an operation id: `created-by` becomes `CreatedBy`. */
export function pascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}
