import type { Attribute } from '../surface/surface.js';

/** Returns the form that the native type gives to the texts of an attribute; undefined where the scalar type says all. */
export function textFormat({ type, nativeType }: Pick<Attribute, 'type' | 'nativeType'>): 'uuid' | 'date' | undefined {
  const [name = ''] = nativeType ?? [];
  if (type === 'String' && (name === 'Uuid' || name === 'UniqueIdentifier')) return 'uuid';
  return type === 'DateTime' && name === 'Date' ? 'date' : undefined;
}
