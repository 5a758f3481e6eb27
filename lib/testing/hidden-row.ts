import { formatId, uniqueWhere } from '../model/values/resource-id.js';
import type { Resource } from '../model/surface/surface.js';
import type { ResourceModel } from '../model/resource-model.js';
import { sampleValue } from './sample-value.js';

/** A record that a caller may not read, by row rules or by the policies of the database. */
export interface HiddenRow {
  /** Prisma's model name. */
  readonly model: string;
  /** The fields that its id is made of, by Prisma's names: `{ id: 3 }`. */
  readonly row: Readonly<Record<string, string | number>>;
  /**
   * Sent with every request, e.g. the credentials of the caller who may not read the record. Let it be one who may do as much as any other.
   *
   * @default none
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers of a caller who may read it: a record that nobody finds would prove nothing. */
  readonly reader: Readonly<Record<string, string>>;
  /**
   * Texts of the record that no other has: no answer may hold one of them.
   *
   * @default none
   */
  readonly values?: readonly string[];
}

/** How requests name one record, be it there or not. */
export interface RowName {
  /** Its id in REST. */
  readonly id: string;
  /** Conditions on its fields. */
  readonly plain: Readonly<Record<string, unknown>>;
  /** Its unique `where`. */
  readonly where: Readonly<Record<string, unknown>>;
}

/** A hidden record, and one that is not there: all answers must be the same for both. */
export interface RowSubject {
  readonly resource: Resource;
  readonly model: ResourceModel;
  readonly hidden: RowName;
  readonly absent: RowName;
  /** Of the model's relations to it, and of those from others. */
  readonly hops: readonly RowHop[];
}

/** A relation that leads to the model of the record. */
export interface RowHop {
  readonly from: Resource;
  readonly name: string;
  readonly member: string;
  readonly many: boolean;
}

/** @throws TypeError where the model is not exposed, or the row is not named by its id */
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
