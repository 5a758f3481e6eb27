import type { WrittenKey } from '../../../executor/plan.js';
import type { Storage, StoredForeignKey } from '../../../model/storage/storage.js';
import { storedRelation } from '../../../model/storage/stored-model.js';
import type { Attribute, Relationship, Resource } from '../../../model/surface/surface.js';

/** A record that foreign keys of another refer to. */
export interface ReferredKey {
  readonly target: Resource;
  /** Values of fields of the target, by Prisma's names. */
  readonly key: Readonly<Record<string, unknown>>;
  /** The field that refers to it, or one of several. */
  readonly attribute: Attribute;
  /** The columns of its own that hold the key. */
  readonly columns: WrittenKey['columns'];
}

/**
 * What the foreign keys among the values of a record refer to: such a key stands for a relationship, and is held to the same (decisions D6, D19).
 * Null refers to nothing.
 *
 * A key of several columns of which only some are given is looked for by these: the others are the row's own, and the database holds them
 * together.
 *
 * @param values of fields, by Prisma's names
 */
export function referencedKeys({ resource, storage, linked }: Referring, values: ReadonlyMap<string, unknown>): readonly ReferredKey[] {
  return resource.relationships.flatMap((relationship) => {
    const { target } = relationship;
    const { foreignKey } = storedRelation(storage, relationship);
    const columns = foreignKey && !linked?.has(relationship) ? givenColumns(foreignKey, values, resource.fields) : [];
    const said = columns.find(isOwn) ?? (columns.length === foreignKey?.fields.length ? columns[0] : undefined);
    if (!said || columns.some(({ value }) => value === null)) return [];
    const key = Object.fromEntries(columns.map(({ reference, value }) => [reference, value]));
    const written = columns.map(({ attribute, reference }) => ({ column: attribute.name, reference }));
    return [{ target, key, attribute: said.attribute, columns: written }];
  });
}

/** A record that refers to others. */
export interface Referring {
  readonly resource: Resource;
  readonly storage: Storage;
  /** Relationships that are given themselves. */
  readonly linked?: ReadonlySet<Relationship>;
}

/** A column of a foreign key with its value, and the field of the target that it refers to. */
interface Column {
  readonly attribute: Attribute;
  readonly value: unknown;
  readonly reference: string;
}

function givenColumns(
  { fields: names, references }: StoredForeignKey,
  values: ReadonlyMap<string, unknown>,
  fields: Resource['fields'],
): readonly Column[] {
  return names.flatMap((name, index) => {
    const attribute = fields.get(name);
    if (attribute?.kind !== 'attribute' || !values.has(name)) return [];
    return [{ attribute, value: values.get(name), reference: references[index] ?? '' }];
  });
}

/** A column that several relationships share says alone nothing of any of them (a `tenantId`). */
function isOwn({ attribute }: Column): boolean {
  return attribute.foreignKeyOf.length === 1;
}
