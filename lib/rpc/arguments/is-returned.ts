import type { Field } from '../../model/surface/surface.js';

/** Whether a write of many records can return a field: a plain field, or a relation whose foreign key is on the written row. */
export function isReturned(field: Field | undefined): boolean {
  return field?.kind === 'attribute' || (field?.kind === 'relationship' && field.link === 'own-key');
}
