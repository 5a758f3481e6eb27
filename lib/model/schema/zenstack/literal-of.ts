/** Returns the value of a literal expression of ZenStack, `{ kind: 'literal', value }`; undefined for other expressions. */
export function literalOf(expression: unknown): string | number | boolean | undefined {
  if (typeof expression !== 'object' || expression === null || Reflect.get(expression, 'kind') !== 'literal') return undefined;
  const value: unknown = Reflect.get(expression, 'value');
  return isLiteral(value) ? value : undefined;
}

export function isLiteral(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
