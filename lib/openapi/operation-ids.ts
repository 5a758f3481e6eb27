import { memberOf } from '../errors/member-of.js';
import type { HostDocument } from './merge-documents.js';

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
export function operationIdsOf({ paths = {} }: HostDocument): readonly string[] {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  return operations.map((operation) => memberOf(operation, 'operationId')).filter((id) => typeof id === 'string');
}
