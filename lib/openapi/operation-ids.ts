import { memberOf } from '../errors/member-of.js';

/** Gives every operation of a document a unique id, which generators use as the name of a function. */
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

/** The ids that a document has. */
export function operationIdsOf(document: object): readonly string[] {
  const items: readonly unknown[] = Object.values(memberOf(document, 'paths') ?? {});
  const operations = items.flatMap((item): readonly unknown[] => Object.values(item ?? {}));
  return operations.map((operation) => memberOf(operation, 'operationId')).filter((id) => typeof id === 'string');
}

/** A member name as a part of an operation's id: `created-by` is `CreatedBy`. */
export function pascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}
