import { joinIdParts, splitIdParts } from '../utils/id-parts.js';
import type { DescribedModel } from './described-api.js';
import { HttpError } from './http-error.js';
import { textOf, toKeyValue } from './values.js';

/** REST's default divider of compound ids. */
const DIVIDER = '_';

export type Row = Readonly<Record<string, unknown>>;
export type Id = string | number;

/**
 * Returns the id of a row, as REST has it: a number for a single Int or Float, otherwise text. The parts of a compound key are joined. Undefined if
 * the row lacks a part.
 *
 * @example
 * idOf({ locale: 'de_CH', key: 'title' }, translation); // 'de\\_CH_title'
 */
export function idOf(row: Row, { idFields }: DescribedModel): Id | undefined {
  const values = idFields.map(({ name }) => (Object.hasOwn(row, name) ? row[name] : undefined));
  const [first] = values;
  if (first === undefined || values.includes(undefined)) return undefined;
  if (values.length > 1) return joinIdParts(values.map(textOf), DIVIDER);
  return typeof first === 'number' ? first : textOf(first);
}

/** Returns the values of the key by field. Undefined for a text that is no id of the model. */
function keyOf(id: unknown, { idFields }: DescribedModel): Row | undefined {
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  const parts = idFields.length === 1 ? [String(id)] : splitIdParts(String(id), DIVIDER);
  if (idFields.length === 0 || parts?.length !== idFields.length) return undefined;
  const values = idFields.map((field, index) => [field.name, toKeyValue(field, parts[index] ?? '')] as const);
  return values.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(values);
}

/** Returns the id as {@link idOf} has it of the record: of a UUID in other letters, or of a date alone. Undefined for a text that is no id. */
export function canonicalId(id: unknown, model: DescribedModel): Id | undefined {
  const key = keyOf(id, model);
  return key && idOf(key, model);
}

/** Returns the unique `where` of one record. @throws HttpError with status 404 for a text that is no id of the model */
export function uniqueWhere(id: unknown, model: DescribedModel): Row {
  const key = keyOf(id, model);
  if (!key) throw new HttpError(`There is no record '${String(id)}' of '${model.model}'.`, 404);
  return model.idFields.length === 1 ? key : { [model.idKey]: key };
}

/** Returns the `where` of the records of some ids. A text that is no id of the model matches none. */
export function whereOfIds(ids: readonly unknown[], model: DescribedModel): Row {
  const keys = ids.map((id) => keyOf(id, model)).filter((key) => key !== undefined);
  const [field, ...others] = model.idFields;
  if (field && others.length === 0) return { [field.name]: { in: keys.map((key) => key[field.name]) } };
  return { OR: keys };
}

/** Whether `id` names the key of the model, as opposed to a field of that name. */
export function isIdOf(name: string, model: DescribedModel): boolean {
  return name === 'id' && model.fieldOf('id') === undefined;
}
