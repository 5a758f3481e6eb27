import type { Exposure } from './exposure/exposure.js';
import type { SchemaRelationField } from './schema/resource-schema.js';
import type { Relationship } from './surface/surface.js';

/** The properties of a relation that its right to link depends on. */
interface LinkSetting {
  readonly link: Relationship['link'];
  readonly opposite?: string;
  /** Whether the foreign key on the row references the target's id. */
  readonly isKeyed: boolean;
}

/**
 * Returns whether a create and an update may set a relationship.
 *
 * Where the target has the foreign key, linking updates the target's row. That needs the target's action `update` and the right to update
 * the key. A key whose relation the schema ignores (`@ignore`) has no such right.
 *
 * Linking reveals whether a record exists. For a model without the action `read`, only its updates and a foreign key with its id may reveal
 * that.
 */
export function linkableOf({ link, opposite, isKeyed }: LinkSetting, { actions, rights }: Exposure): Relationship['linkable'] {
  const isKnowable = actions.has('read') || actions.has('update') || isKeyed;
  if (link !== 'target-key') return Object.freeze({ create: true, update: isKnowable });
  const key = opposite === undefined ? undefined : rights.get(opposite);
  return Object.freeze({ create: key?.create === true, update: isKnowable && actions.has('update') && key?.update === true });
}

/** Returns where a relation is stored. In an implicit many-to-many relation both sides are lists. */
export function linkOf({ list, opposite, foreignKey }: SchemaRelationField, { schema }: Exposure): Relationship['link'] {
  if (foreignKey) return 'own-key';
  return list === true && opposite !== undefined && schema.fields[opposite]?.list === true ? 'join-table' : 'target-key';
}
