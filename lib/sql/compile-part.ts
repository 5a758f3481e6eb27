import { ALWAYS } from '../query/condition.js';
import { sameRow } from '../query/key.js';
import { isWrite, type Query } from '../query/query.js';
import type { FindUnique, Read } from '../query/read.js';
import type { ResultOf, Row } from '../query/result.js';
import type { Create, Delete, Update, Write } from '../query/write.js';
import { decline } from './declined.js';
import { changedFields, flatQuery, isFlat, separateLinks, requireSupportedArguments, unchanged } from './flat-write.js';
import type { Step, StepAnswer } from './pipeline.js';
import { extractRows } from './pool-reads.js';
import { compileOne, type Compiling } from './require-compiled.js';
import { bareOf, rowOf } from './single-writes.js';
import { writeSteps, writtenBy } from './write-steps.js';

/** A query as statements that are sent in one round trip, because none of them depends on the result of another. */
export interface Part {
  readonly steps: readonly Step[];
  /** Returns the result of the query from the results of the steps that return rows. */
  readonly read: (answers: readonly (StepAnswer | undefined)[]) => ResultOf<Query>;
  /** Returns the read of the row, if the statements only returned its key. It runs before any other query. */
  readonly then?: FollowingRead;
}

/** Returns the read of a row by the key that a write has returned. */
export type FollowingRead = (key: Row) => FindUnique;

/** The compiler and the limits of the parts of a transaction. */
export interface PartContext extends Compiling {
  /** The maximum number of bytes of the rows of a read. */
  readonly maxBytes: number;
}

/**
 * Returns a query as one part. Undefined for a write of which one statement depends on the result of another.
 *
 * @throws Declined for a query that SQL does not support
 */
export function compilePart(query: Query, context: PartContext): Part | undefined {
  if (!isWrite(query)) return readPart(query, context);
  requireSupportedArguments(query);
  if (isFlat(query, context.isBound)) return writePart(query, context);
  if (unchanged(query) || separateLinks(query, context.isBound).length > 0) return undefined;
  return writeAndReadPart(query, context);
}

/** Returns a write of one row together with a read of its result. Undefined for any other write. */
function writeAndReadPart(query: Write, context: PartContext): Part | undefined {
  switch (query.kind) {
    case 'create':
      return newRowPart(query, context);
    case 'update':
      return keepsKey(query) ? updatePart(query, context) : newRowPart(query, context);
    case 'delete':
      return deletePart(query, context);
    case 'upsert':
    case 'create-many':
    case 'update-many':
    case 'delete-many':
      return undefined;
  }
}

function readPart(read: Read, context: PartContext): Part {
  const { text, values, reader } = compileOne(read, context);
  const convert = ([row]: readonly unknown[]): readonly unknown[] => reader.parse(String(row));
  return {
    steps: [{ text, values, command: 'SELECT', rows: { maxBytes: context.maxBytes, convert } }],
    read: ([answer]) => reader.read(extractRows(answer) as readonly (readonly unknown[])[])[0] ?? null,
  };
}

function writePart(write: Write, { compiler, isBound, maxBytes }: PartContext): Part {
  const flat = flatQuery(write, isBound);
  const compiled = compiler.compileWrite(flat, undefined);
  return { steps: writeSteps(compiled, flat, maxBytes), read: ([answer]) => writtenBy(write, compiled, extractRows(answer)) };
}

/** Returns a write that returns the key of its row, and the read of the row by that key. */
function newRowPart(query: Create | Update, context: PartContext): Part {
  const then: FollowingRead = (key) => rowOf(query, sameRow(query.model, key));
  return { ...writePart(bareOf(query), context), then };
}

/** Returns an update followed by the read of its row, as Prisma does. */
function updatePart(query: Update, context: PartContext): Part {
  const [written, again] = [writePart(bareOf(query), context), readPart(rowOf(query, { keys: query.where.keys, more: ALWAYS }), context)];
  return {
    steps: [...written.steps, ...again.steps],
    read: ([first, second]) => {
      written.read([first]);
      return again.read([second]) ?? decline('a row that is not there');
    },
  };
}

/** Returns the read of a row followed by its delete, as Prisma does. */
function deletePart(query: Delete, context: PartContext): Part {
  const [before, written] = [readPart(rowOf(query, query.where), context), writePart(bareOf(query), context)];
  return {
    steps: [...before.steps, ...written.steps],
    read: ([first, second]) => {
      written.read([second]);
      return before.read([first]) ?? decline('a row that is not there');
    },
  };
}

/** Whether the key that names the row is the same after the update. */
function keepsKey({ where, record }: Update): boolean {
  const key = where.keys.flatMap((one) => one.key.fields);
  return !changedFields(record).some((name) => key.includes(name));
}
