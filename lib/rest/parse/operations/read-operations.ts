import { ApiError } from '../../../errors/api-error.js';
import type { RestSettings } from '../../rest-settings.js';
import { bodyError } from '../body-error.js';
import { memberPointer } from '../json-pointer.js';
import { readBody } from '../read-document.js';
import { type AskedOperation, readOperation } from './read-operation.js';

/** The member of a request that holds its operations. */
export const OPERATIONS = 'atomic:operations';

/** The place of them all. */
export const OPERATIONS_POINTER = `/${OPERATIONS}`;

/** The place of one of them. */
export function operationPointer(index: number): string {
  return memberPointer(OPERATIONS_POINTER, index);
}

/** The operations of a request: read once, for guards and for what executes them, so that what is allowed is what runs. */
export interface AskedOperations {
  readonly entries: readonly (AskedOperation | ApiError)[];
  /** Why the body holds no operations; to be thrown once guards have been asked. */
  readonly fault?: Error;
}

/** @param json the body of the request, read */
export function readOperations(json: () => unknown, settings: Pick<RestSettings, 'endpoint' | 'strict'>): AskedOperations {
  try {
    return { entries: listOf(json()).map((value) => orFault(() => readOperation(value, settings))) };
  } catch (fault) {
    return { entries: [], fault: fault as Error };
  }
}

/** How many operations a body holds, before any of them is read. */
export function countOperations(json: () => unknown): number {
  try {
    return listOf(json()).length;
  } catch {
    return 0;
  }
}

function orFault(read: () => AskedOperation): AskedOperation | ApiError {
  try {
    return read();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** Members that a request must not have beside its operations (AO-07). */
const STRANGERS = ['data', 'included', 'errors', 'atomic:results'] as const;

function listOf(json: unknown): readonly unknown[] {
  const body = readBody(json);
  for (const member of STRANGERS) {
    if (body[member] === undefined) continue;
    throw bodyError('invalid-payload', memberPointer('', member), `A request has no member '${member}' beside '${OPERATIONS}'.`);
  }
  const operations = body[OPERATIONS];
  if (operations === undefined) throw bodyError('invalid-payload', '', `The body needs the member '${OPERATIONS}'.`);
  if (Array.isArray(operations) && operations.length > 0) return operations;
  throw bodyError('invalid-payload', OPERATIONS_POINTER, 'The operations must be an array of at least one.');
}
