import type { ApiError } from '../../errors/api-error.js';
import type { StoredModel } from '../../model/storage/storage.js';
import { readJson } from '../../model/values/scalar-types.js';
import type { Row } from '../../query/result.js';
import { encodeScalar } from '../../wire/encode-scalar.js';
import { isInvalidDate } from '../../wire/require-readable.js';
import { type Cursors, MAX_CURSOR_LENGTH } from '../cursor/cursors.js';
import { type Position, readPosition, writePosition } from '../cursor/position.js';
import { parameterError } from '../parse/parse-parameters.js';
import type { GivenCursor, PageCursors } from '../projection/page.js';
import { type Keyset, keysetScope, type KeysetTerm, valueIn } from './keyset.js';

/** A function that returns the error for an order that cursors do not support. */
export type Refuse = (reason: string) => ApiError;

/** Encodes and decodes the cursors of one order of a model's rows. */
export class CursorTexts {
  readonly #scope: string;

  /** @param refuse returns the error for an order that cursors do not support */
  constructor(
    model: StoredModel,
    private readonly keyset: Keyset,
    private readonly cursors: Cursors,
    private readonly refuse: Refuse,
  ) {
    this.#scope = keysetScope(model, keyset);
  }

  /**
   * Decodes a cursor into a position, with values as conditions take them (CP-20).
   *
   * @throws ApiError `invalid-page`, without the reason (CP-18)
   */
  read({ parameter, text }: GivenCursor): Position {
    const content = this.cursors.open(this.#scope, text);
    const position = content === undefined ? undefined : readPosition(content);
    if (!position) throw unreadable(parameter);
    if (!('values' in position)) return position;
    const values = this.keyset.map((term, index) => readCursorValue(term, position.values[index]));
    if (values.includes(undefined) || values.length !== position.values.length) throw unreadable(parameter);
    return { ...position, values };
  }

  /**
   * Encodes the cursors of the rows of a page.
   *
   * @param after the position that the page begins after
   * @throws ApiError `invalid-sort` for a row whose values no cursor can hold
   */
  of(rows: readonly Row[], after: Position | undefined): Pick<PageCursors, 'on' | 'start' | 'end' | 'behindAfter'> {
    const known = new Map(rows.map((row) => [row, this.#write({ side: 'on', values: this.#valuesOf(row) })] as const));
    const behind: Position =
      after && 'values' in after
        ? { side: 'behind', values: after.values.map(writtenValue) }
        : { side: after?.side === 'end' ? 'end' : 'start' };
    return {
      on: (row) => known.get(row) ?? '',
      start: this.#write({ side: 'start' }),
      end: this.#write({ side: 'end' }),
      behindAfter: this.#write(behind),
    };
  }

  #valuesOf(row: Row): readonly unknown[] {
    return this.keyset.map((term) => {
      const stored = valueIn(row, term);
      const value = writtenValue(stored);
      if (isInvalidDate(stored) || readCursorValue(term, value) === undefined) throw this.refuse('one of its values cannot be compared');
      return value;
    });
  }

  #write(position: Position): string {
    const text = this.cursors.seal(this.#scope, writePosition(position));
    if (text.length <= MAX_CURSOR_LENGTH) return text;
    throw this.refuse(`a cursor with its values is longer than ${MAX_CURSOR_LENGTH} characters`);
  }
}

/** Encodes a value for a cursor. Numbers that can be compared are valid in JSON as they are. */
function writtenValue(value: unknown): unknown {
  return typeof value === 'number' ? value : encodeScalar(value, 'base64');
}

/** Decodes a value of a cursor. Returns undefined if it is not a value of the field, because the schema has changed since. */
function readCursorValue({ field, mayBeNull }: KeysetTerm, value: unknown): unknown {
  if (value === null) return mayBeNull ? null : undefined;
  const reading = readJson({ type: field.type, ...(field.nativeType && { nativeType: field.nativeType }) }, value);
  return 'value' in reading ? reading.value : undefined;
}

function unreadable(parameter: string): ApiError {
  const detail = `${parameter} is no cursor of this collection and this sort: take it from a link or from meta.page.cursor.`;
  return parameterError('invalid-page', parameter, detail);
}
