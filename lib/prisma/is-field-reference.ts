import { isPlainObject } from '../wire/is-plain-object.js';

/** Whether a value is Prisma's reference to a field, `prisma.post.fields.title`. A plain object with the same members is JSON. */
export function isFieldReference(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || isPlainObject(value)) return false;
  return typeof Reflect.get(value, 'modelName') === 'string' && typeof Reflect.get(value, 'name') === 'string' && 'typeName' in value;
}
