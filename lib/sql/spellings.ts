import type { StoredField } from '../model/storage/storage.js';
import type { Condition } from '../query/condition.js';
import { decline } from './declined.js';
import { scalarEncoder } from './parameter.js';
import type { Scope } from './scope.js';
import { call, type Expression } from './tree.js';

/**
 * Compiles the conditions that the keys of a row equal the stored ones exactly. PostgreSQL also accepts collation-equal keys: `char` without trailing
 * blanks, numbers with other trailing zeros, and texts under a case-insensitive collation.
 *
 * Prisma uses the stored key of the row, and this package compares the stored key with the given one.
 */
export function spelledAsStored(scope: Scope, condition: Condition): readonly Expression[] {
  if (condition.kind === 'and') return condition.conditions.flatMap((one) => spelledAsStored(scope, one));
  if (condition.kind === 'compare') return spelled(scope, { field: condition.field, node: condition, at: 0 });
  if (condition.kind !== 'key') return [];
  return condition.key.fields.flatMap((name, at) => spelled(scope, { field: scope.field(name), node: condition, at }));
}

interface Given {
  readonly field: StoredField;
  /** The node of the value, and the index of the value in it. */
  readonly node: object;
  readonly at: number;
}

function spelled(scope: Scope, { field, node, at }: Given): readonly Expression[] {
  if (!hasSpellings(field)) return [];
  return [call('spelled', scope.column(field.name), scope.statement.slot(node, scalarEncoder(field), { at }))];
}

/**
 * Whether equal values of a type may have different texts. A `numeric` column without a scale preserves the zeros of each value, while Prisma's
 * default for a Decimal has a scale.
 */
function hasSpellings({ type, nativeType }: StoredField): boolean {
  const [name = '', args = []] = nativeType ?? [];
  return type === 'Decimal' ? name === 'Decimal' && args.length === 0 : type === 'String' && !EXACT.has(name);
}

/** Text types whose equal values have the same text. */
const EXACT: ReadonlySet<string> = new Set(['Uuid', 'Inet', 'Bit', 'VarBit']);

/** Requires that a field stores the value of another field unchanged. PostgreSQL removes the trailing blanks of a `char`, which Prisma writes. */
export function requireSpelled(held: StoredField | undefined, value: StoredField): void {
  if (isPadded(value) && !(held && isPadded(held))) decline(OTHER_SPELLING);
}

function isPadded({ nativeType }: StoredField): boolean {
  return nativeType?.[0] === 'Char';
}

/** Rejects case-insensitive keys, because Prisma writes the stored key instead of the given one. */
export function requireOneSpelling({ nativeType }: StoredField): void {
  if (nativeType?.[0] === 'Citext') decline(OTHER_SPELLING);
}

const OTHER_SPELLING = 'a key that may be stored in another spelling';
