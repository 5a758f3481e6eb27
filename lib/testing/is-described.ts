import { isPlainObject } from '../wire/is-plain-object.js';
import type { ProbedField } from './hidden-field.js';

/**
 * Whether a description (`GET /$describe`) names the field. A field that may be written, if only with a grant, is named in it, but without a right to
 * read, filter or sort by it.
 */
export function isDescribed(body: unknown, { model: surface, owner, field }: ProbedField): boolean {
  const widest = surface.grants?.of(surface.grants.names) ?? surface;
  const rights = widest.byModel.get(owner.name)?.fields.get(field)?.rights;
  const isWritable = rights?.create === true || rights?.update === true;
  const models = listIn(isPlainObject(body) ? body['data'] : undefined, 'models').filter(({ model }) => model === owner.delegate);
  return models.some((model) => isReadable(model, field) || (!isWritable && isNamed(model, field)));
}

type Described = Readonly<Record<string, unknown>>;

/** Whether a description says that the field may be read, or compared. */
function isReadable(model: Described, field: string): boolean {
  const named = [...listIn(model, 'fields'), ...listIn(model, 'relations')].filter(({ name }) => name === field);
  const isInKey = listIn(model, 'keys').some(({ fields }) => includes(fields, field));
  return isInKey || named.some(({ rights }) => READING.some((right) => includes(rights, right)));
}

function isNamed(model: Described, field: string): boolean {
  const { version, softDelete } = model;
  const relations = listIn(model, 'relations');
  const isMember = [...listIn(model, 'fields'), ...relations].some(({ name }) => name === field);
  const isInKey = relations.some(({ foreignKey }) => includes(foreignKey, field));
  return isMember || isInKey || version === field || (isPlainObject(softDelete) && softDelete['field'] === field);
}

const READING = ['read', 'filter', 'sort'] as const;

function listIn(object: unknown, name: string): readonly Described[] {
  const list = isPlainObject(object) ? object[name] : undefined;
  return Array.isArray(list) ? list.filter(isPlainObject) : [];
}

function includes(list: unknown, name: string): boolean {
  return Array.isArray(list) && list.includes(name);
}
