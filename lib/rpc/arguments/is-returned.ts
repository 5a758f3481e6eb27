import type { Field } from '../../model/surface/surface.js';

/** Whether a write of many records can return a field: a plain field, or the record that a foreign key of the written row leads to. */
export function isReturned(field: Field | undefined): boolean {
  return field?.kind === 'attribute' || (field?.kind === 'relationship' && field.link === 'own-key');
}
