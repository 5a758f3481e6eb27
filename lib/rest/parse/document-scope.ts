import { type Field, type Relationship, type Resource, type UniqueKey } from '../../model/resource-model.js';
import { type ResourceId } from './parse-target.js';
import { type RestContext } from './rest-context.js';

/** A resource object of a request, as JSON. */
export type ResourceObject = Readonly<Record<string, unknown>>;

/** What a resource document is for. */
export type DocumentWrite =
  | { readonly kind: 'create'; readonly resource: Resource }
  | { readonly kind: 'upsert'; readonly resource: Resource; readonly match: UniqueKey }
  | { readonly kind: 'update'; readonly resource: Resource; readonly id: ResourceId };

/** What all readers of one resource document share. */
export type DocumentScope = DocumentWrite & { readonly context: RestContext };

/**
 * Whether a document may write a field. An upsert needs both rights, except for the fields that it matches by: those it never changes.
 *
 * Where the target holds the key of a relationship, linking updates the target's row, so that must be open as well; the right to the key
 * itself is in the relationship's already.
 */
export function isWritable(field: Field, scope: DocumentScope): boolean {
  return hasRights(field, scope) && (field.kind === 'attribute' || isLinkable(field));
}

/** Whether linking by a relationship is open at the other end: there it updates the target's row if that holds the key. */
export function isLinkable({ foreignKey, joinTable, target }: Relationship): boolean {
  return foreignKey !== undefined || joinTable || target.actions.has('update');
}

function hasRights(field: Field, scope: DocumentScope): boolean {
  switch (scope.kind) {
    case 'create':
      return field.rights.create;
    case 'update':
      return field.rights.update;
    case 'upsert':
      return field.rights.create && (field.rights.update || scope.match.fields.some(({ name }) => name === field.name));
  }
}
