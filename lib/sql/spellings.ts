import type { StoredField } from '../model/storage/storage.js';
import type { Condition } from '../query/condition.js';
import { decline } from './declined.js';
import { scalarEncoder } from './parameter.js';
import type { Scope } from './scope.js';
import { call, type Expression } from './tree.js';

/**
 * That a row's keys are given as they are stored. PostgreSQL takes others for the same: `char` without its blanks, numbers with more zeros, texts under a
 * collation that ignores case. Prisma refers to the row by what it has read of it, and a check of ours compares that with what was given.
 */
export function spelledAsStored(scope: Scope, condition: Condition): readonly Expression[] {
  if (condition.kind === 'and') return condition.conditions.flatMap((one) => spelledAsStored(scope, one));
  if (condition.kind === 'compare') return spelled(scope, { field: condition.field, node: condition, at: 0 });
  if (condition.kind !== 'key') return [];
  return condition.key.fields.flatMap((name, at) => spelled(scope, { field: scope.field(name), node: condition, at }));
}

interface Given {
  readonly field: StoredField;
  /** Whose value it is, and which. */
  readonly node: object;
  readonly at: number;
}

function spelled(scope: Scope, { field, node, at }: Given): readonly Expression[] {
  if (!hasSpellings(field)) return [];
  return [call('spelled', scope.column(field.name), scope.statement.slot(node, scalarEncoder(field), { at }))];
}

/** A column `numeric` without a scale keeps the zeros of each value. Prisma's own default for a Decimal has a scale. */
function hasSpellings({ type, nativeType }: StoredField): boolean {
  const [name = '', args = []] = nativeType ?? [];
  return type === 'Decimal' ? name === 'Decimal' && args.length === 0 : type === 'String' && !EXACT.has(name);
}

/** The types of texts that have one spelling each. */
const EXACT: ReadonlySet<string> = new Set(['Uuid', 'Inet', 'Bit', 'VarBit']);

/** Requires that a field holds a value of another as it is. PostgreSQL leaves out the blanks at the end of a `char`, which Prisma writes. */
export function requireSpelled(held: StoredField | undefined, value: StoredField): void {
  if (isPadded(value) && !(held && isPadded(held))) decline(OTHER_SPELLING);
}

function isPadded({ nativeType }: StoredField): boolean {
  return nativeType?.[0] === 'Char';
}

/** Prisma writes a key as it is stored, and not as it is given. */
export function requireOneSpelling({ nativeType }: StoredField): void {
  if (nativeType?.[0] === 'Citext') decline(OTHER_SPELLING);
}

const OTHER_SPELLING = 'a key that may be stored in another spelling';
