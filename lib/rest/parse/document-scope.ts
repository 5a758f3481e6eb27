import { type Field, type Relationship, type Resource, type UniqueKey } from '../../model/resource-model.js';
import { type ResourceId } from './parse-target.js';
import { linkageKey } from './readable-members.js';
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

/** Whether a document may write a field. An upsert needs both rights, except for the fields that it matches by: those it never changes. */
export function isWritable(field: Field, scope: DocumentScope): boolean {
  return hasRights(field, scope) && (field.kind === 'attribute' || isLinkable(field));
}

/**
 * Whether existing records may be linked by a relationship. Where the target holds the key, linking updates the target's row, so that both its
 * action `update` and the right to update that key must be open; nobody has said so of a key whose relation the schema ignores.
 */
export function isLinkable(relationship: Relationship): boolean {
  const { foreignKey, joinTable, target, opposite } = relationship;
  if (!isKnowable(relationship)) return false;
  if (foreignKey || joinTable) return true;
  const key = opposite === undefined ? undefined : target.fields.get(opposite);
  return target.actions.has('update') && key?.rights.update === true;
}

/**
 * Linking tells whether there is such a record. Of a model that is closed to reading that is told by the foreign key alone, as its constraint
 * tells it, and by updates.
 */
function isKnowable(relationship: Relationship): boolean {
  const { actions } = relationship.target;
  return actions.has('read') || actions.has('update') || linkageKey(relationship) !== undefined;
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
