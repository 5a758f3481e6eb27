import { type ForeignKey, type Resource } from '../../model/resource-model.js';
import { type AttributeValue, type ResourceContent } from '../parse/write-intent.js';
import { type ReferredRecord } from './linkage-checks.js';

/**
 * The records that foreign keys among the attributes refer to: such a key stands for a relationship, and is held to the same (decisions D6,
 * D19). Null refers to nothing.
 *
 * A key of several columns of which only some are given is looked for by these: the others are the row's own, and the database holds them
 * together.
 */
export function foreignKeyRecords(resource: Resource, { attributes, linkages }: ResourceContent): ReferredRecord[] {
  const given = new Map(attributes.map((one) => [one.attribute.name, one]));
  const linked = new Set(linkages.map(({ relationship }) => relationship));
  return resource.relationships.flatMap((relationship) => {
    const { foreignKey, target } = relationship;
    const columns = foreignKey && !linked.has(relationship) ? givenColumns(foreignKey, given) : [];
    const said = columns.find(isOwn) ?? (columns.length === foreignKey?.fields.length ? columns[0] : undefined);
    if (!said || columns.some(({ value }) => value === null)) return [];
    const key = Object.fromEntries(columns.map(({ reference, value }) => [reference, value]));
    return [{ target, key, detail: `There is no ${target.type} that '${said.attribute.member}' refers to.`, pointer: said.pointer }];
  });
}

/** A column of a foreign key with the field of the target that it refers to. */
interface Column extends AttributeValue {
  readonly reference: string;
}

function givenColumns({ fields, references }: ForeignKey, given: ReadonlyMap<string, AttributeValue>): Column[] {
  return fields.flatMap((name, index) => {
    const one = given.get(name);
    return one ? [{ ...one, reference: references[index] ?? '' }] : [];
  });
}

/** A column that several relationships share says alone nothing of any of them (a `tenantId`). */
function isOwn({ attribute }: Column): boolean {
  return attribute.foreignKeyOf.length === 1;
}
