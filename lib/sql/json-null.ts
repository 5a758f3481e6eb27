import { decline } from './declined.js';

export type JsonNullName = 'DbNull' | 'JsonNull' | 'AnyNull';

/** Which of Prisma's three Json nulls a value is. */
export function jsonNullOf(value: unknown): JsonNullName | undefined {
  if (typeof value !== 'object' || value === null || !(NULL in value)) return undefined;
  const name: unknown = (value as { readonly _getName?: () => unknown })._getName?.();
  return name === 'DbNull' || name === 'JsonNull' || name === 'AnyNull' ? name : decline('a null of a form of its own');
}

const NULL = Symbol.for('prisma.objectEnumValue');
