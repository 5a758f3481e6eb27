import { ApplicationCodeError } from '../errors/application-code-error.js';
import { isJsonNull } from '../model/values/json-value.js';
import { readApplicationElement, readApplicationValue } from '../model/read-application-value.js';
import type { StoredField, StoredModel } from '../model/storage/storage.js';
import type { Row } from '../query/result.js';
import { FIELD_OPERATIONS, type FieldOperation, type WrittenField, type WrittenRecord } from '../query/write.js';
import { isPlainObject } from '../wire/is-plain-object.js';

/** Returns the columns that a write sets, in the format of Prisma's `data`. It is the `data` that a hook receives. */
export function hookDataOf({ fields }: WrittenRecord): Row {
  return Object.freeze(Object.fromEntries(fields.map((written) => [written.field.name, shown(written)])));
}

function shown({ operation, value }: WrittenField): unknown {
  if (operation !== 'set') return Object.freeze({ [operation]: value });
  return isJsonNull(value) ? null : value;
}

/**
 * Returns the record with the data that a hook has returned. Values that the hook has changed or added are trusted as values of the application.
 *
 * @param data the data that the hook received
 * @param place the class and method of the hook, e.g. `TaskHooks.check`
 * @throws ApplicationCodeError if the returned value is not valid data of the model
 */
export function withData(record: WrittenRecord, data: Row, returned: unknown, place: string): WrittenRecord {
  if (returned === undefined || returned === data) return record;
  if (!isPlainObject(returned)) throw new ApplicationCodeError(place, 'returned something else than data.');
  const known = new Map(record.fields.map((written) => [written.field.name, written]));
  const fields = Object.entries(returned).flatMap(([name, value]): readonly WrittenField[] => {
    if (value === undefined) return [];
    const given = known.get(name);
    return [given && Object.is(value, data[name]) ? given : written(fieldOf(record.model, name, place), value, `${place}: '${name}'`)];
  });
  const isSame = fields.length === record.fields.length && fields.every((one) => known.get(one.field.name) === one);
  return isSame ? record : Object.freeze({ ...record, fields: Object.freeze(fields) });
}

function fieldOf({ model, fields }: StoredModel, name: string, place: string): StoredField {
  const field = fields.get(name);
  if (field && !field.ignored) return field;
  throw new ApplicationCodeError(place, `returned '${name}', which is no field of ${model}: the data of a hook has columns alone.`);
}

function written(field: StoredField, value: unknown, place: string): WrittenField {
  const fail = (problem: string): never => {
    throw new ApplicationCodeError(place, problem);
  };
  const [operation, operand] = operationIn(field, value);
  const isElement = (operation === 'push' && !Array.isArray(operand)) || (operation !== 'set' && operation !== 'push');
  return Object.freeze({
    field,
    operation,
    value: isElement ? readApplicationElement(field, operand, fail) : readApplicationValue(field, operand, fail),
    isSettled: true,
  });
}

/** Returns the operation and operand of a value such as `{ increment: 1 }`. An object in a Json field is always a plain value. */
function operationIn({ type }: StoredField, value: unknown): readonly [FieldOperation, unknown] {
  if (type === 'Json' || !isPlainObject(value)) return ['set', value];
  const [[name, operand] = ['', undefined], ...others] = Object.entries(value);
  const operation = others.length === 0 ? FIELD_OPERATIONS.find((one) => one === name) : undefined;
  return operation ? [operation, operand] : ['set', value];
}
