import type { Resource } from '../../model/surface/surface.js';
import { formatId, isDotSegment } from '../../model/values/resource-id.js';
import type { WrittenField } from '../../query/write.js';
import type { ArgumentPath } from './argument-path.js';

/** Refuses an id that no URL of REST can have. */
export function requireNameable({ identifier, idDivider, model }: Resource, fields: readonly WrittenField[], path: ArgumentPath): void {
  const [first] = identifier.fields;
  if (idDivider === undefined || first === undefined) return;
  const values = Object.fromEntries(fields.map(({ field, value }) => [field.name, value]));
  if (!identifier.fields.every(({ name }) => name in values)) return;
  const text = String(formatId(identifier, values, idDivider));
  if (isDotSegment(text))
    path.member(first.name).refuse(`must not make the id '${text}' of ${model}, which no URL can name.`, 'invalid-id');
}
