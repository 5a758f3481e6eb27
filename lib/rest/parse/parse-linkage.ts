import type { Relationship } from '../../model/surface/surface.js';
import { bodyError } from './body-error.js';
import { collect } from './collect.js';
import { memberPointer } from './json-pointer.js';
import { parseIdentifier } from './parse-identifier.js';
import type { RestContext } from './rest-context.js';
import type { Linkage, LinkedRecord } from './write-intent.js';

/** The `data` of a relationship in a body. */
export interface LinkageData {
  readonly relationship: Relationship;
  readonly data: unknown;
  readonly pointer: string;
}

/**
 * Reads resource linkage: for a to-one relationship an identifier or null, for a to-many one an array of identifiers, in which repeated
 * ones count once (JSON:API 1.1, resource linkage).
 *
 * @throws ApiError `invalid-relation-data` for another shape, `limit-exceeded`, and as {@link parseIdentifier}
 */
export function parseLinkage({ relationship, data, pointer }: LinkageData, context: RestContext): Linkage {
  const { member, many, target } = relationship;
  if (!many) {
    if (Array.isArray(data))
      throw bodyError('invalid-relation-data', pointer, `'${member}' is to-one: it takes one resource identifier or null.`);
    return { relationship, pointer, records: data === null ? [] : [parseIdentifier({ value: data, pointer, target }, context)] };
  }
  if (!Array.isArray(data))
    throw bodyError('invalid-relation-data', pointer, `'${member}' is to-many: it takes an array of resource identifiers.`);
  requireSize(data, pointer, context);
  const items = [...data.entries()] as readonly (readonly [number, unknown])[];
  const records = collect(items, ([index, value]) => parseIdentifier({ value, pointer: memberPointer(pointer, index), target }, context));
  return { relationship, pointer, records: uniqueRecords(records) };
}

function requireSize(data: readonly unknown[], pointer: string, { limits: { maxBatchSize } }: RestContext): void {
  if (data.length <= maxBatchSize) return;
  throw bodyError('limit-exceeded', pointer, `A relationship takes at most ${maxBatchSize} members in one request (limits.maxBatchSize).`);
}

/** An id and a lid of the same text are two resources. */
function keyOf({ id: { text, lid } }: LinkedRecord): string {
  return lid === undefined ? `id ${text}` : `lid ${lid}`;
}

function uniqueRecords(records: readonly LinkedRecord[]): LinkedRecord[] {
  return [...new Map(records.map((record) => [keyOf(record), record])).values()];
}
