import { countNodes } from '../../wire/count-nodes.js';
import { bodyError } from './body-error.js';
import type { DocumentScope } from './document-scope.js';
import { memberPointer } from './json-pointer.js';

/**
 * Counts what the scalar lists and Json attributes of a document hold, before any of it is read.
 *
 * @param given attributes by their names
 * @throws ApiError `limit-exceeded`, at the first attribute that is too much
 */
export function checkValueCount(given: readonly (readonly [name: string, value: unknown])[], { resource, context }: DocumentScope): void {
  const { maxValues } = context.limits;
  let count = 0;
  for (const [name, value] of given) {
    const field = resource.members.get(name);
    if (field?.kind !== 'attribute' || !(field.list || field.type === 'Json')) continue;
    count += countNodes(value, maxValues - count);
    if (count <= maxValues) continue;
    const detail = `The lists and Json values of a document hold at most ${maxValues} values together (limits.maxValues).`;
    throw bodyError('limit-exceeded', memberPointer('/data/attributes', name), detail);
  }
}
