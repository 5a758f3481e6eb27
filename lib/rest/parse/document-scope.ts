import type { Field, Resource, UniqueKey } from '../../model/surface/surface.js';
import type { ResourceId } from './target.js';
import type { RestContext } from './rest-context.js';
import { fixedFields } from './write-intent.js';

/** The write that a resource document is parsed for. */
export type DocumentWrite =
  | { readonly kind: 'create'; readonly resource: Resource }
  | { readonly kind: 'upsert'; readonly resource: Resource; readonly match: UniqueKey }
  | { readonly kind: 'update'; readonly resource: Resource; readonly id: ResourceId };

/** The write and the REST context, for all parsers of one resource document. */
export type DocumentScope = DocumentWrite & { readonly context: RestContext };

/** Whether a document may write a field. An upsert needs the rights `create` and `update`; for a field that it never changes, `create` suffices. */
export function isWritable(field: Field, scope: DocumentScope): boolean {
  return hasRights(field, scope) && (field.kind === 'attribute' || field.linkable.update);
}

function hasRights(field: Field, scope: DocumentScope): boolean {
  switch (scope.kind) {
    case 'create':
      return field.rights.create;
    case 'update':
      return field.rights.update;
    case 'upsert':
      return field.rights.create && (field.rights.update || isFixed(field, scope));
  }
}

/** Whether an upsert never changes a field. For a relationship: whether it never changes any field of its foreign key. */
function isFixed(field: Field, { resource, match }: Extract<DocumentWrite, { readonly kind: 'upsert' }>): boolean {
  const fixed = fixedFields(resource, match);
  if (field.kind === 'attribute') return fixed.has(field.name);
  const columns = resource.attributes.filter(({ foreignKeyOf }) => foreignKeyOf.includes(field.name));
  return columns.length > 0 && columns.every(({ name }) => fixed.has(name));
}
