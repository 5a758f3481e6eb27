import type { ScalarTypeName } from './resource-schema.js';

/** Prisma's scalar types. */
export const SCALAR_TYPE_NAMES = [
  'String',
  'Boolean',
  'Int',
  'BigInt',
  'Float',
  'Decimal',
  'DateTime',
  'Json',
  'Bytes',
] as const satisfies readonly ScalarTypeName[];

/** Returns a text as a scalar type; undefined if it is not the name of one. */
export function scalarTypeOf(name: string): ScalarTypeName | undefined {
  return SCALAR_TYPE_NAMES.find((known) => known === name);
}
