import { anyDriverErrorOf } from '../../errors/driver-error.js';
import { isError } from '../../errors/is-error.js';
import { memberOf } from '../../errors/member-of.js';
import { sqlStateOf } from '../../errors/data-layer-error.js';
import type { StoredModel } from './storage.js';
import type { Attribute } from '../surface/surface.js';

/** An attribute that a write sets. */
interface Given {
  readonly attribute: Attribute;
}

/**
 * Finds the attribute whose value the database has rejected: the column that PostgreSQL names, else the only written attribute whose type
 * can cause the error.
 */
export function locateInvalidValue<One extends Given>(
  cause: unknown,
  attributes: readonly One[],
  { columns }: StoredModel,
): One | undefined {
  if (!isError(cause)) return undefined;
  const state = sqlStateOf(cause) ?? String(memberOf(cause, 'code'));
  if (state === GENERATED) {
    const message = memberOf(anyDriverErrorOf(cause), 'originalMessage');
    const column = COMPUTED_COLUMN.exec(typeof message === 'string' ? message : cause.message)?.groups?.['column'];
    const name = column === undefined ? undefined : columns.get(column);
    return attributes.find(({ attribute }) => attribute.name === name);
  }
  const canFail = FAILING.get(state);
  const suspects = canFail ? attributes.filter(({ attribute }) => canFail(attribute)) : [];
  return suspects.length === 1 ? suspects[0] : undefined;
}

/** SQLSTATE for a value in a column that is GENERATED ALWAYS. */
const GENERATED = '428C9';

const COMPUTED_COLUMN = /column "(?<column>[^"]+)"/;

const isNative = (...names: readonly string[]) => {
  return ({ nativeType }: Attribute): boolean => names.includes(nativeType?.[0] ?? '');
};

/** By SQLSTATE, whether the type of an attribute can cause the error. Other invalid values are rejected before the query. */
const FAILING: ReadonlyMap<string, (attribute: Attribute) => boolean> = new Map([
  ['2200N', isNative('Xml')],
  ['22026', isNative('Bit')],
  ['22001', isNative('Char', 'VarChar', 'VarBit')],
  ['22003', (attribute) => attribute.type === 'Decimal' || isNative('Real')(attribute)],
]);
