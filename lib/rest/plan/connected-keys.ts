import type { Storage, StoredForeignKey } from '../../model/storage/storage.js';
import { storedRelation } from '../../model/storage/stored-model.js';
import type { Relationship } from '../../model/surface/surface.js';
import type { Data } from './relation-data.js';
import type { ContentChange } from './write-data.js';

/**
 * Attributes in the form that Prisma calls checked: a foreign key among them becomes the connection that it means.
 *
 * A key that is given in part, or whose relationship is not exposed, stays as it is, and the data client refuses it. A column that several
 * keys share is part of each of them.
 */
export function connectedKeys({ resource, content: { attributes }, change }: ContentChange, storage: Storage): Data {
  const values = new Map(attributes.map(({ attribute, value }) => [attribute.name, value]));
  const others = new Map(values);
  const connections = new Map<string, Data>();
  for (const relationship of resource.relationships) {
    const key = storedRelation(storage, relationship).foreignKey;
    if (!key?.fields.every((name) => values.has(name))) continue;
    const connection = connect(relationship, key, values);
    if (connection ?? change !== 'attach') connections.set(relationship.name, connection ?? { disconnect: true });
    for (const name of key.fields) others.delete(name);
  }
  return Object.fromEntries([...others, ...connections]);
}

/** Undefined where the key is null: it refers to nothing. */
function connect(
  { target }: Relationship,
  { fields, references }: StoredForeignKey,
  values: ReadonlyMap<string, unknown>,
): Data | undefined {
  const row = Object.fromEntries(fields.map((name, index) => [references[index] ?? '', values.get(name)]));
  if (Object.values(row).includes(null)) return undefined;
  if (references.length === 1) return { connect: row };
  const key = [...target.uniqueKeys.values()].find((one) => hasFields(one.fields, references));
  return { connect: { [key?.name ?? references.join('_')]: row } };
}

function hasFields(fields: readonly { readonly name: string }[], names: readonly string[]): boolean {
  return fields.length === names.length && fields.every(({ name }) => names.includes(name));
}
