import { formatId, uniqueWhere } from '../model/values/resource-id.js';
import type { Resource } from '../model/surface/surface.js';
import type { ResourceModel } from '../model/resource-model.js';
import { sampleValue } from './sample-value.js';

/** A record that a caller may not read, by row rules or by the policies of the database. */
export interface HiddenRow {
  /** Prisma's model name. */
  readonly model: string;
  /** The values of the id's fields, by Prisma's names: `{ id: 3 }`. */
  readonly row: Readonly<Record<string, string | number>>;
  /**
   * Headers of every request, e.g. the credentials of a caller who may not read the record. Use the caller with the most rights among those.
   *
   * @default none
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers of a caller who may read the record. They prove that the record exists. */
  readonly reader: Readonly<Record<string, string>>;
  /**
   * Texts that occur in this record only. No response may contain one of them.
   *
   * @default none
   */
  readonly values?: readonly string[];
}

/** The id and the conditions for one record, which may exist or not. */
export interface RowName {
  /** Its id in REST. */
  readonly id: string;
  /** The id's fields and values, for conditions on plain fields. */
  readonly plain: Readonly<Record<string, unknown>>;
  /** The id as a unique `where`. */
  readonly where: Readonly<Record<string, unknown>>;
}

/** A hidden record and one that does not exist. Responses for both must be equal. */
export interface RowSubject {
  readonly resource: Resource;
  readonly model: ResourceModel;
  readonly hidden: RowName;
  readonly absent: RowName;
  /** The relations of all exposed models to the model of the record. */
  readonly hops: readonly RowHop[];
}

/** A relation to the model of the record. */
export interface RowHop {
  readonly from: Resource;
  readonly name: string;
  readonly member: string;
  readonly many: boolean;
}

/**
 * Resolves the hidden record and builds the name of a record that does not exist.
 *
 * @throws TypeError if the model is not exposed, or `row` does not have all fields of the id
 */
export function rowSubject({ model: name, row }: HiddenRow, model: ResourceModel, divider: string): RowSubject {
  const resource = model.byModel.get(name);
  if (!resource) throw new TypeError(`No API has the model '${name}'.`);
  const { identifier } = resource;
  const lacking = identifier.fields.find((field) => row[field.name] === undefined);
  if (lacking) throw new TypeError(`'row' has no '${lacking.name}', which the id of ${name} is made of.`);
  const replaced = identifier.fields.find(({ type }) => type !== 'Boolean' && type !== 'Enum');
  if (!replaced) throw new TypeError(`There is no id that no record of ${name} could have.`);
  const nameOf = (values: Readonly<Record<string, unknown>>): RowName => ({
    id: String(formatId(identifier, values, divider)),
    plain: Object.fromEntries(identifier.fields.map((field) => [field.name, values[field.name]])),
    where: uniqueWhere(identifier, values),
  });
  return {
    resource,
    model,
    hidden: nameOf(row),
    absent: nameOf({ ...row, [replaced.name]: sampleValue(replaced) }),
    hops: hopsTo(resource, model),
  };
}

function hopsTo({ model: target }: Resource, { resources }: ResourceModel): readonly RowHop[] {
  return resources.flatMap((from) =>
    from.relationships
      .filter((relationship) => relationship.target.model === target)
      .map(({ name, member, many }) => ({ from, name, member, many })),
  );
}
