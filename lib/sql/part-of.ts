import { ALWAYS } from '../query/condition.js';
import { sameRow } from '../query/key.js';
import { isWrite, type Query } from '../query/query.js';
import type { FindUnique, Read } from '../query/read.js';
import type { ResultOf, Row } from '../query/result.js';
import type { Create, Delete, Update, Write } from '../query/write.js';
import { decline } from './declined.js';
import { changedFields, flatQuery, isFlat, linkedInTurn, requireUsual, unchanged } from './flat-write.js';
import type { Step, StepAnswer } from './pipeline.js';
import { extractRows } from './pool-reads.js';
import { compileOne, type Compiling } from './require-compiled.js';
import { bareOf, rowOf } from './single-writes.js';
import { writeSteps, writtenBy } from './write-steps.js';

/** A query as statements that are sent together: none of them depends on what another answers. */
export interface Part {
  readonly steps: readonly Step[];
  /** What is answered, of the answers of the steps whose rows are asked for. */
  readonly read: (answers: readonly (StepAnswer | undefined)[]) => ResultOf<Query>;
  /** Present where that names the row alone: how it is read, before anything else is done. */
  readonly then?: FollowingRead;
}

/** The read of a row by its key, which a write has answered. */
export type FollowingRead = (key: Row) => FindUnique;

/** What parts are made with. */
export interface PartContext extends Compiling {
  /** The most bytes of the rows of a read. */
  readonly maxBytes: number;
}

/**
 * A query as such a part; undefined for a write of which one statement depends on the answer to another.
 *
 * @throws Declined for what Prisma does in another way
 */
export function partOf(query: Query, context: PartContext): Part | undefined {
  if (!isWrite(query)) return readPart(query, context);
  requireUsual(query);
  if (isFlat(query, context.isBound)) return writePart(query, context);
  if (unchanged(query) || linkedInTurn(query, context.isBound).length > 0) return undefined;
  return readApart(query, context);
}

/** A write of one row that answers more than what it has written. */
function readApart(query: Write, context: PartContext): Part | undefined {
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

/** The database says by which key the row is read again. */
function newRowPart(query: Create | Update, context: PartContext): Part {
  const then: FollowingRead = (key) => rowOf(query, sameRow(query.model, key));
  return { ...writePart(bareOf(query), context), then };
}

/** Reads the row again once it is changed, as Prisma does. */
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

/** Reads the row before it is deleted, as Prisma does. */
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

/** Whether the key that names the row names it afterwards, too. */
function keepsKey({ where, record }: Update): boolean {
  const key = where.keys.flatMap((one) => one.key.fields);
  return !changedFields(record).some((name) => key.includes(name));
}
