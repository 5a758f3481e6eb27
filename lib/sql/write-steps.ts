import type { Affected, Row } from '../query/result.js';
import { returnsResult, type Write } from '../query/write.js';
import { decline } from './declined.js';
import { COMMANDS, type FlatWrite } from './flat-write.js';
import type { Step } from './pipeline.js';
import type { CompiledQuery } from './plan-compiler.js';

/** Returns the command of a write. It is `SELECT` if the statement reads the written rows, or checks rows, in a `WITH` query. */
export function commandOf({ query, referred }: FlatWrite): Step['command'] {
  return returnsResult(query) || referred.length > 0 ? 'SELECT' : COMMANDS[query.kind];
}

/** Returns the steps of a write in a transaction. The last step has the result. */
export function writeSteps({ text, values, before }: CompiledQuery, flat: FlatWrite, maxBytes: number): readonly Step[] {
  const rows = { counted: !returnsResult(flat.query), maxBytes, convert: ([row]: readonly unknown[]) => row };
  const write: Step = { text, values, command: commandOf(flat), rows };
  return before ? [{ ...before, command: 'SELECT' }, write] : [write];
}

/**
 * Returns the result of a write.
 *
 * @param texts the JSON texts of its rows, with null for a row that does not exist; or the number of written rows
 * @throws Declined if the row does not exist
 */
export function writtenBy(
  query: Write,
  { reader }: Pick<CompiledQuery, 'reader'>,
  texts: readonly unknown[],
): Affected | Row | readonly Row[] {
  const [first] = texts;
  if (first === null) return decline('no such row');
  if (!returnsResult(query)) return countOf(first);
  const [found] = reader.read(texts.map((text) => reader.parse(String(text))));
  if (typeof found !== 'object' || found === null) throw new TypeError('The database returned no row of an INSERT.');
  return found;
}

function countOf(count: unknown): Affected {
  if (typeof count !== 'number') throw new TypeError('The database has not said how many rows it has written.');
  return { count };
}
