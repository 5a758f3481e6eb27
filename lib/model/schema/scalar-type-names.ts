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

/** The scalar type of a name; undefined for any other text. */
export function scalarTypeOf(name: string): ScalarTypeName | undefined {
  return SCALAR_TYPE_NAMES.find((known) => known === name);
}
