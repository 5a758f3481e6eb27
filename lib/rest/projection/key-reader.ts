import type { Attribute, Relationship, Resource } from '../../model/surface/surface.js';
import { formatId } from '../../model/values/resource-id.js';
import { relatedRow, type Row } from '../../query/result.js';

/** Takes the field values of the one related resource's id from a row: null where there is none, undefined where the row does not tell. */
export type KeyReader = (row: Row) => Row | null | undefined;

/** Reads the id of what a relationship leads to from the row's own foreign key. */
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

/** Reads it from the related row. */
export function relatedReader({ name }: Relationship): KeyReader {
  return (row) => relatedRow(row, name);
}

/** A to-many relationship leads to no one resource. */
export const NO_KEY: KeyReader = () => undefined;

/** Takes the id from a row: of its own type but in strict mode. */
export type IdReader = (row: Row) => string | number;

/** How ids are written. */
export interface IdForm {
  readonly idDivider: string;
  readonly strict: boolean;
}

/** Reads the ids of a resource. */
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

/** Takes the id of the one related resource from a row: null where there is none, undefined where the row does not tell. */
export type LinkedIdReader = (row: Row) => string | number | null | undefined;

/** Reads the ids of what a relationship leads to, by the key of it. */
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

/** The name of the only field of a key, if its values are numbers. */
function numberOf([field, ...others]: readonly Attribute[]): string | undefined {
  return others.length === 0 && (field?.type === 'Int' || field?.type === 'Float') ? field.name : undefined;
}
