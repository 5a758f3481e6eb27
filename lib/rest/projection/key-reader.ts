import type { Attribute, Relationship, Resource } from '../../model/surface/surface.js';
import { formatId } from '../../model/values/resource-id.js';
import { relatedRow, type Row } from '../../query/result.js';

/**
 * Reads the id fields of a to-one related resource from a row. Returns null if there is no related resource, and undefined if the row does
 * not hold them.
 */
export type KeyReader = (row: Row) => Row | null | undefined;

/** Returns a reader of a related resource's id fields that takes them from the row's foreign key. */
export function foreignKeyReader(relationship: Relationship): KeyReader {
  const key = relationship.linkageKey;
  const pairs = (key?.fields ?? []).map((field, index) => [field, key?.references[index] ?? ''] as const);
  return (row) => {
    const values: Record<string, unknown> = {};
    for (const [field, reference] of pairs) {
      const value = row[field];
      if (value === null || value === undefined) return value;
      values[reference] = value;
    }
    return values;
  };
}

/** Returns a reader of a related resource's id fields that takes them from the related row. */
export function relatedReader({ name }: Relationship): KeyReader {
  return (row) => relatedRow(row, name);
}

/** The reader of a to-many relationship, which has no single related id. */
export const NO_KEY: KeyReader = () => undefined;

/** Reads the id from a row: a number for a single Int or Float key, a string otherwise. In strict mode it is always a string. */
export type IdReader = (row: Row) => string | number;

/** Settings that determine how ids are written. */
export interface IdForm {
  readonly idDivider: string;
  readonly strict: boolean;
}

/** Returns the reader of a resource's ids. */
export function idReader({ identifier }: Resource, { idDivider, strict }: IdForm): IdReader {
  const read: IdReader = (row) => {
    const id = formatId(identifier, row, idDivider);
    return strict ? String(id) : id;
  };
  const name = strict ? undefined : numberOf(identifier.fields);
  if (name === undefined) return read;
  return (row) => {
    const value = row[name];
    return typeof value === 'number' ? value : read(row);
  };
}

/**
 * Reads the id of a to-one related resource from a row. Returns null if there is no related resource, and undefined if the row does not
 * hold the id.
 */
export type LinkedIdReader = (row: Row) => string | number | null | undefined;

/**
 * Returns a reader of the ids of related resources.
 *
 * @param keyOf reads the id fields of the related resource
 */
export function linkedIdReader({ linkageKey, target }: Relationship, keyOf: KeyReader, form: IdForm): LinkedIdReader {
  const idOf = idReader(target, form);
  const read: LinkedIdReader = (row) => {
    const key = keyOf(row);
    return key ? idOf(key) : key;
  };
  const name = form.strict ? undefined : numberOf(target.identifier.fields);
  const [field, ...others] = linkageKey?.fields ?? [];
  if (name === undefined || field === undefined || others.length > 0 || linkageKey?.references[0] !== name) return read;
  return (row) => {
    const value = row[field];
    return typeof value === 'number' ? value : read(row);
  };
}

/** Returns the field name of a key that has one field, of type Int or Float; undefined for any other key. */
function numberOf([field, ...others]: readonly Attribute[]): string | undefined {
  return others.length === 0 && (field?.type === 'Int' || field?.type === 'Float') ? field.name : undefined;
}
